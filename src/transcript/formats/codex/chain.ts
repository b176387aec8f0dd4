import type { MessageDraft } from '../../message.js';
import type { TreeNode } from '../../path.js';
import { field } from '../values.js';

/** Hangs the entries of a rollout one below the other, as far as they are messages or change the history. */
export interface Chain {
  hang(value: unknown, messages: readonly MessageDraft[]): TreeNode | null;
}

/**
 * A rollout is a log: a compaction begins a new history in place of all before it, and rolling back takes the newest
 * questions away with what followed them.
 */
export function startChain(): Chain {
  let tail = START;
  let count = 0;
  // What each of the operator's messages hangs from, oldest first.
  let asked: string[] = [];
  const hangFrom = (parent: string | null, fields: Partial<TreeNode> = {}): TreeNode => {
    tail = String(count++);
    return { ...PLAIN, id: tail, parent, ...fields };
  };
  return {
    hang(value, messages) {
      const payload = field(value, 'payload');
      if (field(value, 'type') === 'compacted') {
        const replaces = Array.isArray(field(payload, 'replacement_history'));
        const node = hangFrom(replaces ? null : tail, { keptFrom: null });
        asked = (replaces ? messages.filter(isAsked) : asked).map(() => tail);
        return node;
      }
      const turns = rolledBack(value, payload);
      if (turns > 0 && asked.length > 0) {
        const [parent = START] = asked.splice(Math.max(0, asked.length - turns));
        return hangFrom(parent === START ? null : parent);
      }
      if (messages.length === 0) return null;
      const isQuestion = messages.some(isAsked);
      if (isQuestion) asked.push(tail);
      // A compaction without a history of its own keeps what the operator said.
      return hangFrom(tail, isQuestion ? { outlivesCompaction: true } : {});
    },
  };
}

/** What the first message hangs from: nothing in the file, but a file whose records have parents is a log like this. */
const START = 'start';

const PLAIN = { isSide: false, isMessage: true, reply: null, calls: [], results: [] } as const;

function isAsked({ speaker }: MessageDraft): boolean {
  return speaker === 'operator';
}

/** How many of the operator's messages an entry takes back. */
function rolledBack(value: unknown, payload: unknown): number {
  if (field(value, 'type') !== 'event_msg' || field(payload, 'type') !== 'thread_rolled_back') return 0;
  const turns = field(payload, 'num_turns');
  return typeof turns === 'number' ? turns : 0;
}
