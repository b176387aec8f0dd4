/**
 * A sentence with the words that the cues know spelled as they know them: `whats`, `plz`, and two letters that changed
 * places. Nothing else is touched: subjects stay as they are written.
 */
export function spelledOut(sentence: string): string {
  let [words, previous] = [0, ''];
  return sentence.replace(/(?<![\w`"“«/.-])[a-z]+(?![\w`"”»/.(-]*[/_`(\d-])/gi, (word) => {
    words += 1;
    const lower = word.toLowerCase();
    const spelled = spelling(lower, previous, words);
    previous = spelled ?? lower;
    return spelled ?? word;
  });
}

function spelling(word: string, previous: string, place: number): string | undefined {
  if (place > NEAR_START) return undefined;
  if (word === 'dose') return QUESTION_WORDS.has(previous) ? 'does' : undefined;
  return SHORTHAND.get(word) ?? CUE_WORDS.find((cue) => isSwapped(word, cue));
}

/** Cues stand at the start, behind a greeting or a preface at most. */
const NEAR_START = 12;

const QUESTION_WORDS: ReadonlySet<string> = new Set(['what', 'why', 'how', 'where', 'when', 'who']);

const SHORTHAND: ReadonlyMap<string, string> = new Map(
  Object.entries({
    wat: 'what',
    wht: 'what',
    whats: "what's",
    hows: 'how is',
    whos: "who's",
    wich: 'which',
    hwo: 'how',
    u: 'you',
    ur: 'your',
    plz: 'please',
    pls: 'please',
    thx: 'thanks',
    gimme: 'give me',
    lemme: 'let me',
    wanna: 'want to',
    dont: "don't",
    doesnt: "doesn't",
    didnt: "didn't",
    isnt: "isn't",
    arent: "aren't",
    wasnt: "wasn't",
    cant: "can't",
    wont: "won't",
    im: "i'm",
    thats: "that's",
    youre: "you're",
    diffrence: 'difference',
    differnce: 'difference',
    remeber: 'remember',
    explane: 'explain',
    discribe: 'describe',
    summerize: 'summarize',
  }),
);

const CUE_WORDS: readonly string[] = [
  'what',
  'which',
  'does',
  'about',
  'between',
  'compare',
  'could',
  'define',
  'describe',
  'difference',
  'example',
  'explain',
  'please',
  'remember',
  'should',
  'summarize',
  'would',
];

/** Two neighbouring letters in each other's place. */
function isSwapped(word: string, cue: string): boolean {
  if (word.length !== cue.length || word === cue) return false;
  const at = [...cue].findIndex((letter, i) => letter !== word[i]);
  return word[at] === cue[at + 1] && word[at + 1] === cue[at] && word.slice(at + 2) === cue.slice(at + 2);
}
