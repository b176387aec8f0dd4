/** Whether a subject is only a pointer to another one: "it", "that file", "the second one". */
export function isReference(name: string): boolean {
  const words = name.toLowerCase().split(' ');
  const [first = '', last = ''] = [words[0], words.at(-1)];
  return PLURAL.has(first) || SINGULAR.has(first) || last === 'one' || last === 'ones' || last === 'same';
}

const SINGULAR: ReadonlySet<string> = new Set(['it', 'this', 'that', 'he', 'she', 'him']);
const PLURAL: ReadonlySet<string> = new Set(['they', 'them', 'these', 'those']);

/** The subjects that a reference can mean, each once. */
export function compatibleSubjects(reference: string, known: readonly string[]): string[] {
  const [first = '', ...rest] = reference.toLowerCase().split(' ');
  const candidates = new Map(known.map((subject) => [subject.toLowerCase(), subject]));
  return [...candidates.entries()]
    .filter(([subject]) => isCompatible(first, rest, subject))
    .map(([, subject]) => subject);
}

function isCompatible(first: string, rest: readonly string[], subject: string): boolean {
  const noun = rest.at(-1);
  if (noun === undefined || noun === 'one' || noun === 'same')
    return PLURAL.has(first) ? isPlural(subject) : !isPlural(subject);
  if (noun === 'ones') return isPlural(subject);
  if (FILE_NOUNS.has(noun) && PATH.test(subject)) return true;
  return subject.split(/[\s/.]+/).includes(noun);
}

const FILE_NOUNS: ReadonlySet<string> = new Set(['file', 'module', 'script', 'document', 'page']);
const PATH = /^\S*[\w-]\.\w{1,5}$/;

function isPlural(subject: string): boolean {
  const head = subject.split(' of ')[0] ?? '';
  return /[^su]s$/.test(head) && !PATH.test(subject);
}
