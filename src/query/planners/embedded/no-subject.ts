// Words of any question or answer that do not name what it is about: what is done, how, how much and when.

const ENGLISH = `
add added allow allowed apply ask asked avoid begin bring broken buy called calling change changed check choose click come
comes compare compute computed create currently current decide decided delete deleted did different difference does edit
enable enforce exactly exist explain fail failed fails fast faster fastest feel find fire fired fit fits fix fixed follow
forbids forbid gets gives going good got handle handled handles happen happened happens help helps holds install keep know
leave left like likely long longer look looks lost mean means move moved need needs new open opened order orders
pay possible prevent question ran rather reach read reads received recommend remind remove removed replace returned returns right rose run running runs said says seen send sent shall share shown shows sorry start started stay
stays stop stopped suggest suggested supports switch take taken takes tell thank thanks think time told toggles total
tried try turn turned understand update updated use used uses using valid value voted want wanted wants way went work
worked working works write written wrong wrote yes noted today tomorrow yesterday tonight morning evening noon midnight
monday tuesday wednesday thursday friday saturday sunday week weeks day days month months year years hour hours minute
minutes second seconds percent euros dollars times better best bigger smaller cheaper high highest low lowest big large
small deep earlier previously far fine ok okay great hi hello perfect well please moment number pulls draws expected
rejects rejected retried frozen allocate bug let kb mb gb tb ms xl utc
`;
const OTHER = `
ist sind war hat haben kann können kostet gibt die der das den dem des ein eine ich sie es wir mein meine im am vom zum
nochmal noch wie was wo wann warum changer puedo puede quiero les las los el la le un une des du de mon ma mes je il elle
es son está ont ai agora o a os as em que qui estado actual was
`;
const WORDS: ReadonlySet<string> = new Set(`${ENGLISH} ${OTHER}`.split(/\s+/).filter(Boolean));

export function namesNothing(word: string): boolean {
  return WORDS.has(word.toLowerCase()) || /^\p{N}{1,3}$|^\p{Ll}$/u.test(word);
}
