/** What a reader names in a transcript: a message, a part of one, or something by its id (a chunk or a call). */
export type Address =
  | { readonly kind: 'message'; readonly position: number }
  | { readonly kind: 'part'; readonly position: number; readonly part: number }
  | { readonly kind: 'id'; readonly id: string };

/** Reads `42`, `42.0` or an id. A number is always a position: ids that are numbers alone cannot be named. */
export function parseAddress(text: string): Address {
  const [, position, part] = /^(\d{1,15})(?:\.(\d{1,15}))?$/.exec(text) ?? [];
  if (position === undefined) return { kind: 'id', id: text };
  if (part === undefined) return { kind: 'message', position: Number(position) };
  return { kind: 'part', position: Number(position), part: Number(part) };
}

/** The text that `parseAddress` reads. */
export function formatAddress(address: Address): string {
  switch (address.kind) {
    case 'message':
      return String(address.position);
    case 'part':
      return `${address.position}.${address.part}`;
    case 'id':
      return address.id;
  }
}
