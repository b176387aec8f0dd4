/** Word lists of the subject rules; English only. */
function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).filter((word) => word !== ''));
}

/** In front of a noun phrase, and no part of its name. */
export const DETERMINERS = words(`
  a an the my your our his her their its some any all both each every no another such
  that this those these there exactly really also just still always usually often actually only currently even
  more most almost again please me us not`);

/** A noun phrase ends before one of these. */
export const BREAKS = words(`
  in on at for with from to by into onto over under after before during between within without through about against as
  than since until till per via like behind below above around across off out up down upon inside outside near beside
  and or but so because if when while where that which who whose whom what why how whether vs versus
  is are was were be been being has have had do does did can could will would should must may might shall
  isn't aren't wasn't weren't doesn't don't didn't can't won't
  again now then yet already still too also not never always usually often only exactly actually there here
  better worse instead please today tomorrow yesterday i we you they it he she me us them properly correctly safely
  differ different compare similar made used using called located based tmrw tomorrow tonight rn atm everything anything
  nothing something much so really fast twice once tonight anymore everywhere anywhere overnight
  indoors outdoors online offline abroad`);

/** When and how often: behind what is said. */
export const TIMES = words(`
  again now then yet already still today tomorrow yesterday tonight tmrw rn atm anymore always usually often never twice
  once here there properly correctly safely please overnight everywhere anywhere indoors outdoors tomorrow`);

/** Nouns that name nothing. */
export const EMPTY_NOUNS = words(`
  anything everything nothing something everyone anyone someone nobody way ways thing things stuff lot lots bit kind sort
  news question questions idea trouble problem time moment dude`);

/** Said of what stands in front of it. */
export const COPULAS = words(`
  is are was were isn't aren't wasn't weren't has have had does doesn't do don't did didn't can can't cannot could couldn't
  will won't would wouldn't should shouldn't must may might seems seem looks needs`);

/** What things do: the end of the noun phrase behind `does`, `do`, `did`, `can`. */
export const VERBS = words(`
  work works run runs happen happens occur exist mean stand refer do cause make need require use contain include hold
  keep store save load return take give get go come stop start begin end fail break slip leak burn freeze melt grow
  shrink rise fall turn spin move open close lock unlock reveal show hide cover protect produce create build generate
  reduce increase improve damage hurt help support allow prevent block drive feed eat drink attract repel reflect absorb
  emit send receive read write parse print call handle process change affect control regulate measure detect connect
  join split separate depend belong cost weigh last smell taste look sound feel seem become stay remain fit match
  replace carry bring pass cross enter leave reach touch push pull lift drop throw crash hang compile differ compare
  wear rust bend crack dry shine glow flicker vibrate rattle squeak overheat expand contract evaporate boil cool heat
  warm clean wash filter pump flow drain fill empty rely provide offer mention cite say tell know leave left fell ran went like want drink sleep
  live die sing swim fly migrate hibernate bloom apply expire count matter skip import export accept reject throw
  trust ship install update charge discharge rotate tilt float sink rain snow conduct dissolve decay teach learn serve
  form survive began begin grew sank froze flew wore lost won gave took got made broke came rose burst crashed stopped worked enable trigger throttle retry cache index sort hash encrypt sign validate verify`);

/** Coding and other requests: their object is the subject. */
export const REQUESTS = words(`
  fix add remove update refactor write implement create change rename delete test debug build make move check review run
  improve optimize optimise document convert replace install find show read list open investigate clean explain
  configure deploy upgrade downgrade revert merge split extract migrate port translate format lint simplify search look
  print generate draft edit rewrite repair disable enable set put use try analyze analyse profile inspect draw plot
  compute calculate count measure calibrate oil replace order book cancel send bump bring turn upgrade switch call use apply proceed drop kill commit push pull
  rebase wire hook style align center validate verify check process pay change reset restart stop start continue
  finish evaluate eval perform execute rerun rewrite undo redo toggle expose document`);

/** Behind a verb, before its object. */
export const PARTICLES = words('up down out off on in over away back through into at for to about with');

/** Said of nouns, hardly ever the end of a name. */
export const ADJECTIVES = words(`
  red green blue yellow white black grey gray pink brown orange purple dark bright hot cold warm cool wet dry soft hard
  heavy loud quiet fast slow big small strong weak thick thin sweet sour bitter salty safe dangerous expensive cheap good
  bad better worse sharp smooth rough noisy clear cloudy deep tall long short rich poor happy sad angry tired sick special
  unique popular important difficult easy ready available correct wrong necessary normal empty free late early faulty`);

/** Nouns and adjectives that end as adverbs do. */
export const LY_NOUNS = words(`
  family supply reply assembly anomaly monopoly july italy butterfly dragonfly jelly belly ally bully lily melancholy
  daily weekly monthly yearly hourly early friendly elderly likely only holly`);
