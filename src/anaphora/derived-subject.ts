import { compatibleSubjects, isReference } from './reference.js';
import { findSubject } from './subject.js';

export interface DerivedSubject {
  readonly name: string | null;
  readonly rule: string;
}

/**
 * What a question is about. A pronoun means the only subject that it can mean: of the sentences in front of it, else of
 * the `known` ones of earlier turns.
 */
export function derivedSubject(question: string, known: readonly string[]): DerivedSubject {
  const { name, rule, earlier } = findSubject(question);
  if (name === null || !isReference(name)) return { name, rule };
  const near = compatibleSubjects(
    name,
    earlier.filter((subject) => !isReference(subject)),
  );
  const [only, ...others] = near.length > 0 ? near : compatibleSubjects(name, known);
  return only !== undefined && others.length === 0
    ? { name: only, rule: `"${name}" can only mean one subject` }
    : unresolved(name);
}

/** `this callback code` names something by itself, `this code` does not. */
function unresolved(name: string): DerivedSubject {
  const [, ...rest] = name.split(' ');
  return rest.length > 1
    ? { name: rest.join(' '), rule: `"${name}" names it` }
    : { name: null, rule: `"${name}" could mean several subjects, or none` };
}
