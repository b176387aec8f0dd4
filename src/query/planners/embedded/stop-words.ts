// spaCy's English stop list (MIT) as single tokens, with the pieces that contractions split into; the scorer of
// bench/resolve leaves out the same words.
const ENGLISH = `
a about above across after afterwards again against ain all almost alone along already also although
always am among amongst amount an and another any anyhow anyone anything anyway anywhere are aren around
as at back be became because become becomes becoming been before beforehand behind being below beside
besides between beyond both bottom but by ca call can cannot could couldn d did didn do does doesn doing
don done down due during each eight either eleven else elsewhere empty enough even ever every everyone
everything everywhere except few fifteen fifty first five for former formerly forty four from front full
further get give go had hadn has hasn have haven he hence her here hereafter hereby herein hereupon hers
herself him himself his how however hundred i if in indeed into is isn it its itself just keep last
latter latterly least less ll m made make many may me meanwhile might mine more moreover most mostly
move much must mustn my myself n name namely needn neither never nevertheless next nine no nobody none
noone nor not nothing now nowhere of off often on once one only onto or other others otherwise our ours
ourselves out over own part per perhaps please put quite rather re really regarding s same say see seem
seemed seeming seems serious several she should shouldn show side since six sixty so some somehow
someone something sometime sometimes somewhere still such t take ten than that the their them themselves
then thence there thereafter thereby therefore therein thereupon these they third this those though
three through throughout thru thus to together too top toward towards twelve twenty two under unless
until up upon us used using various ve very via was wasn we well were weren what whatever when whence
whenever where whereafter whereas whereby wherein whereupon wherever whether which while whither who
whoever whole whom whose why will with within without won would wouldn yet you your yours yourself
yourselves
`;

// Words without content in languages that share no spelling of a content word with English.
const OTHER = `
qué cuál cuáles cómo cuándo dónde quién para por pero esta este esto está eso esa una unos unas muy más
quel quelle quels quelles sont dans avec pour cette ces mais comment où quand qui que une sur aux
und dem ist sind nicht mit für wie wann wer ein eine einen einem einer auch noch bitte dieser diese
qual quais onde quando quem isso isto essa esse não uma seu sua
что как где когда кто это эта этот его её их не на по для мне или был была было были
`;

export const STOP_WORDS: ReadonlySet<string> = new Set(`${ENGLISH} ${OTHER}`.split(/\s+/).filter(Boolean));
