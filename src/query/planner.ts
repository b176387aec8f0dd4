import type { HistoryRow } from './window.js';

/** What a planner is given: the bounded request, and the same as data. */
export interface PlannerInput {
  readonly system: string;
  readonly prompt: string;
  readonly tokens: readonly string[];
  readonly current: string;
  /** The rows of the request. */
  readonly history: readonly HistoryRow[];
  /** More of them, whole, for planners that run in this process. */
  readonly wide: readonly HistoryRow[];
}

export type PlannerName = 'embedded' | 'ollama' | 'given';

/** Proposes what to search for. What it says is checked before anything is made of it. */
export interface Planner {
  readonly name: PlannerName;
  /** Throws ThreadError when there is no plan to be had: the service does not answer, or is told to stop. */
  plan(input: PlannerInput, signal?: AbortSignal): Promise<PlannerReply>;
}

export type PlannerReply =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'resolution';
      readonly plan: EmbeddedPlan;
      /** What it looked at. */
      readonly rows: readonly HistoryRow[];
    };

export type Mode = 'direct' | 'contextual' | 'ambiguous' | 'none';
export type Time = 'past' | 'present' | 'unspecified';

/** A plan in words instead of ids. */
export interface EmbeddedPlan {
  readonly mode: Mode;
  readonly time: Time;
  readonly terms: readonly string[];
  readonly focusTerms: readonly string[];
  readonly quotes: readonly { readonly position: number; readonly quote: string }[];
  /** How likely each word was held to be needed, for people to see. */
  readonly scores: readonly WordScore[];
}

export interface WordScore {
  readonly word: string;
  readonly score: number;
}
