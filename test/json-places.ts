export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

type Place = readonly (string | number)[];

/** Every value inside a value, itself included, with its path. */
export function jsonPlaces(value: JsonValue, at: Place = []): { at: Place; value: JsonValue }[] {
  const inner = Array.isArray(value)
    ? value.flatMap((one, i) => jsonPlaces(one, [...at, i]))
    : typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, one]) => jsonPlaces(one, [...at, key]))
      : [];
  return [{ at, value }, ...inner];
}

/** A list with the value at a path inside it replaced. */
export function replaced(values: readonly JsonValue[], at: Place, by: JsonValue): JsonValue[] {
  const [index, ...rest] = at;
  return values.map((one, i) => (i === index ? replacedIn(one, rest, by) : one));
}

function replacedIn(value: JsonValue, [step, ...rest]: Place, by: JsonValue): JsonValue {
  if (step === undefined) return by;
  if (Array.isArray(value)) return value.map((one, i) => (i === step ? replacedIn(one, rest, by) : one));
  return Object.fromEntries(
    Object.entries(value ?? {}).map(([key, one]) => [key, key === step ? replacedIn(one, rest, by) : one]),
  );
}
