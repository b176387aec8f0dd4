import type { Planner } from '../planner.js';

/** A plan that somebody else made: the reply is the text as it was given. */
export function createGivenPlanner(text: string): Planner {
  return { name: 'given', plan: async () => ({ kind: 'text', text }) };
}
