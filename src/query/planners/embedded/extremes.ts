// Of as many numbers as there are: a call takes some ten thousand arguments, and a history has more words.

export function smallest(values: Iterable<number>, atMost = Number.POSITIVE_INFINITY): number {
  let found = atMost;
  for (const value of values) found = Math.min(found, value);
  return found;
}

export function largest(values: Iterable<number>, atLeast = Number.NEGATIVE_INFINITY): number {
  let found = atLeast;
  for (const value of values) found = Math.max(found, value);
  return found;
}
