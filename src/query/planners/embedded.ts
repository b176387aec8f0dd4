// The embedded planner: decides in this process, from the words alone, what a follow-up question needs of its history.
import { distinctWords } from '../tokens.js';
import { type Classified, type Classifier, classify, loadClassifier } from './embedded/classifier.js';
import {
  type Conversation,
  type HistoryMessage,
  readableQuestion,
  readConversation,
} from './embedded/conversation.js';
import { focusOf, ownFocus } from './embedded/focus.js';
import { decideMode } from './embedded/mode.js';
import model from './embedded/model.json' with { type: 'json' };
import { type Quote, quoteEach, quotePieces } from './embedded/quotes.js';
import { isSmallTalk } from './embedded/small-talk.js';
import { choosePieces, queryTerms } from './embedded/subject.js';
import { readTime, type Time } from './embedded/time.js';

export interface EmbeddedInput {
  readonly query: string;
  readonly history: readonly HistoryMessage[];
}

export interface EmbeddedPlan {
  readonly mode: 'direct' | 'contextual' | 'ambiguous' | 'none';
  readonly time: Time;
  /** The question's content words, then the chosen words of the history, each as a message spells it. */
  readonly terms: readonly string[];
  readonly focusTerms: readonly string[];
  readonly quotes: readonly Quote[];
  readonly scores: readonly Score[];
}

interface Score {
  readonly word: string;
  readonly position: number;
  readonly score: number;
}

const SHOWN_SCORES = 40;
const SHOWN_FROM = 0.02;

let loaded: Classifier | undefined;

/** The plan for a question that comes after the given messages, oldest first. */
export function planEmbedded({ query, history }: EmbeddedInput): EmbeddedPlan {
  const read = readableQuestion(query);
  const time = readTime(read);
  const empty = { time, terms: [], focusTerms: [], quotes: [], scores: [] };
  if (isSmallTalk(read, lastReply(history))) return { mode: 'none', ...empty };
  loaded ??= loadClassifier(model);
  const conversation = readConversation(read, history);
  const classified = classify(loaded, conversation);
  const scores = explain(conversation, classified);
  const decision = decideMode(conversation, classified, loaded);
  const content = queryTerms(query);
  // Words without content are searched for as they are when nothing else can be meant.
  const own = content.length > 0 ? content : distinctWords([query]);
  switch (decision.mode) {
    case 'direct':
      return { mode: 'direct', time, terms: own, focusTerms: ownFocus(own), quotes: [], scores };
    case 'ambiguous':
      return { mode: 'ambiguous', ...empty, quotes: quoteEach(decision.rivals), scores };
    case 'contextual': {
      const chosen = choosePieces(conversation, classified);
      const { quotes, terms } = quotePieces(chosen.pieces);
      const added = [...terms.values()];
      if (added.length === 0)
        return { mode: 'direct', time, terms: own, focusTerms: ownFocus(own), quotes: [], scores };
      return {
        mode: 'contextual',
        time,
        terms: [...content, ...added],
        focusTerms: focusOf(content, { terms, ...chosen }, conversation),
        quotes,
        scores,
      };
    }
  }
}

function lastReply(history: readonly HistoryMessage[]): string | undefined {
  return history.findLast(({ role }) => role === 'assistant')?.text;
}

function explain({ candidates }: Conversation, { scores }: Classified): readonly Score[] {
  return candidates
    .map(({ last }, i) => ({
      word: last.word.surface,
      position: last.message.position,
      score: Math.round((scores[i] ?? 0) * 1000) / 1000,
    }))
    .filter(({ score }) => score >= SHOWN_FROM)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, SHOWN_SCORES);
}
