import type { Planner } from '../planner.js';
import type { HistoryRow } from '../window.js';

/** Which planner, and what it needs to be told. */
export type PlannerChoice =
  | { readonly name: 'embedded'; readonly window: 'reference' | 'wide' }
  | {
      readonly name: 'ollama';
      /** As in `OLLAMA_HOST`; undefined stands for this machine. */
      readonly host: string | undefined;
      readonly model: string;
      readonly timeoutMs: number;
    }
  | { readonly name: 'given'; readonly text: string };

/** Loads a planner. Each is imported when it is chosen only: a model's data and an HTTP client cost time to load. */
export async function loadPlanner(choice: PlannerChoice): Promise<Planner> {
  switch (choice.name) {
    case 'embedded':
      return loadEmbedded(choice.window);
    case 'ollama': {
      const [{ createOllamaPlanner }, { planJsonSchema }] = await Promise.all([
        import('./ollama.js'),
        import('../plan.js'),
      ]);
      return createOllamaPlanner({ ...choice, schema: planJsonSchema() });
    }
    case 'given': {
      const { createGivenPlanner } = await import('./given.js');
      return createGivenPlanner(choice.text);
    }
  }
}

async function loadEmbedded(window: 'reference' | 'wide'): Promise<Planner> {
  const { planEmbedded } = await import('./embedded.js');
  return {
    name: 'embedded',
    async plan({ current, history, wide }) {
      const rows = window === 'wide' ? wide : history;
      return {
        kind: 'resolution',
        plan: planEmbedded({ query: current, history: rows.flatMap(embeddedRow) }),
        rows,
      };
    },
  };
}

/** Rows are of those who speak; tools do not. */
function embeddedRow({ position, role, text, source }: HistoryRow) {
  return role === 'tool' ? [] : [{ position, role, text, ...(source === undefined ? {} : { source }) }];
}
