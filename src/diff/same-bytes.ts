import type { ByteSource } from '../transcript/lines.js';

const READ_SIZE = 1 << 20;

export function isSameBytes(one: ByteSource, other: ByteSource): boolean {
  if (one.size !== other.size) return false;
  const [left, right] = [Buffer.allocUnsafe(READ_SIZE), Buffer.allocUnsafe(READ_SIZE)];
  for (let at = 0; at < one.size; ) {
    const length = Math.min(READ_SIZE, one.size - at);
    const read = Math.min(one.read(left.subarray(0, length), at), other.read(right.subarray(0, length), at));
    if (read === 0 || !left.subarray(0, read).equals(right.subarray(0, read))) return false;
    at += read;
  }
  return true;
}
