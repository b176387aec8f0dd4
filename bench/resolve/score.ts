// The shared scorer's counting (score.mjs), for several systems in one run.
import { STOP_WORDS } from '../../src/query/planners/embedded/stop-words.js';
import { wordKey } from '../../src/query/planners/embedded/words.js';
import type { Example } from './examples.js';

export interface Answer {
  readonly id: string;
  readonly terms: readonly string[];
  readonly mode?: string;
}

export interface Score {
  readonly f1: number;
  readonly direct: number;
  readonly contextual: number;
  readonly ungrounded: number;
}

export function tokens(text: string): readonly string[] {
  return (
    text
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{N}_]+/gu) ?? []
  );
}

export function scoreSet(examples: readonly Example[], answers: ReadonlyMap<string, Answer>): Score {
  let [right, chosen, wanted, ungrounded] = [0, 0, 0, 0];
  const modes = { direct: { right: 0, all: 0 }, contextual: { right: 0, all: 0 } };
  for (const example of examples) {
    const answer = answers.get(example.id);
    const query = new Set(tokens(example.query).map(wordKey));
    const history = new Set(example.history.flatMap(({ text }) => tokens(text)).map(wordKey));
    const gold = new Set(example.gold_terms.map(wordKey));
    const words = (answer?.terms ?? []).flatMap(tokens).filter((word) => !STOP_WORDS.has(word));
    const added = new Set(words.map(wordKey).filter((key) => !query.has(key)));
    right += [...added].filter((key) => gold.has(key)).length;
    ungrounded += [...added].filter((key) => !history.has(key)).length;
    chosen += added.size;
    wanted += gold.size;
    modes[example.mode].all += 1;
    if ((answer?.mode ?? (added.size > 0 ? 'contextual' : 'direct')) === example.mode)
      modes[example.mode].right += 1;
  }
  return {
    f1: (200 * right) / Math.max(1, chosen + wanted),
    direct: (100 * modes.direct.right) / Math.max(1, modes.direct.all),
    contextual: (100 * modes.contextual.right) / Math.max(1, modes.contextual.all),
    ungrounded,
  };
}
