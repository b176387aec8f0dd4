import { field } from '../transcript/formats/values.js';
import type { ChunkSource } from './chunks.js';

const PATH_KEYS = ['file_path', 'path', 'notebook_path', 'filename', 'file', 'filePath', 'absolute_path'];
const URL_KEYS = ['url', 'uri'];
const TEXT_KEYS = ['query', 'pattern', 'command', 'cmd', 'q', 'search', 'code', 'description'];

/** What a capsule shows of a source stays short: it stands before every entry. */
const LONGEST_SHOWN = 48;

/** What a call asked for: the path, URL, query or command in its arguments. */
export function callSource(input: unknown): ChunkSource {
  const path = firstString(input, PATH_KEYS);
  if (path !== null) return { documentId: path, uri: shortPath(path), title: null };
  const url = firstString(input, URL_KEYS);
  if (url !== null) return { documentId: url, uri: url, title: null };
  const text =
    firstString(input, TEXT_KEYS) ?? shellCommand(input) ?? (typeof input === 'string' ? input : '');
  const [line = ''] = text.trim().split('\n', 1);
  return {
    documentId: text,
    uri: line.length > LONGEST_SHOWN ? `${cut(line, LONGEST_SHOWN)}…` : line,
    title: null,
  };
}

/** A command as a list of words, or the script of a shell in it: `["bash", "-lc", "rg clock"]`. */
function shellCommand(input: unknown): string | null {
  const words = field(input, 'command');
  if (!Array.isArray(words)) return null;
  const texts = words.filter((word) => typeof word === 'string');
  const isScript = texts.length === 3 && /^-l?c$/.test(texts[1] ?? '');
  return isScript ? (texts[2] ?? null) : texts.join(' ');
}

/** Cut before a whole character. */
function cut(text: string, length: number): string {
  const unit = text.charCodeAt(length - 1);
  return text.slice(0, unit >= 0xd800 && unit <= 0xdbff ? length - 1 : length);
}

/** The last names of a long path: they tell files apart, the folders above them are the same for all. */
function shortPath(path: string): string {
  if (path.length <= LONGEST_SHOWN) return path;
  const names = path.split(/[/\\]/);
  let shown = names.pop() ?? '';
  for (
    let name = names.pop();
    name !== undefined && shown.length + name.length + 3 <= LONGEST_SHOWN;
    name = names.pop()
  ) {
    shown = `${name}/${shown}`;
  }
  return `…/${shown}`;
}

function firstString(input: unknown, keys: readonly string[]): string | null {
  const found = keys
    .map((key) => field(input, key))
    .find((value) => typeof value === 'string' && value !== '');
  return typeof found === 'string' ? found : null;
}
