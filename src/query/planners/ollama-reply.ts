import { type OllamaFailure, plannerError, type Server } from './ollama-failure.js';

/** Far above what 512 tokens take, each in a line of its own. */
const MAX_REPLY_BYTES = 1 << 20;

/** Of an error's body only the start is read, and of its text only so many characters are shown. */
const MAX_ERROR_BYTES = 1 << 14;
const MAX_SHOWN = 200;

/**
 * Lets only sound lines of Ollama's streamed reply through, and fails for whatever else comes: the ollama package would
 * print a line that is not JSON on the console and carry on without it, and read a reply of any length.
 */
export function soundReply(server: Server): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let bytes = 0;
  let pending = '';
  let isDone = false;

  function pass(line: string, controller: TransformStreamDefaultController<Uint8Array>): void {
    if (line.trim() === '') return;
    const found = readLine(line);
    if ('kind' in found) throw plannerError(server, found);
    isDone ||= found.isDone;
    controller.enqueue(encoder.encode(`${line}\n`));
  }

  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.length;
      if (bytes > MAX_REPLY_BYTES) throw plannerError(server, { kind: 'too-long', limit: '1 MiB' });
      const [rest = '', ...starts] = decoder.decode(chunk, { stream: true }).split('\n');
      pending += rest;
      for (const start of starts) {
        pass(pending, controller);
        pending = start;
      }
    },
    flush(controller) {
      pending += decoder.decode();
      if (!isDone && isCut(pending)) throw plannerError(server, { kind: 'cut' });
      pass(pending, controller);
      if (!isDone) throw plannerError(server, { kind: 'cut' });
    },
  });
}

/** What a line of the reply says: a piece of the text, or what went wrong. */
function readLine(line: string): { readonly isDone: boolean } | OllamaFailure {
  const value = parseObject(line);
  if (value !== undefined && 'error' in value) {
    return { kind: 'http', problem: shown(errorText(value)), isOllama: typeof value.error === 'string' };
  }
  if (value === undefined || !('message' in value) || !hasContent(value.message)) {
    return { kind: 'http', problem: `a line that is not Ollama's: ${shown(line)}`, isOllama: false };
  }
  return { isDone: 'done' in value && value.done === true };
}

function hasContent(message: unknown): boolean {
  return (
    typeof message === 'object' &&
    message !== null &&
    'content' in message &&
    typeof message.content === 'string'
  );
}

/** Whether the last line is the start of an object, and no more than that. */
function isCut(line: string): boolean {
  return line.startsWith('{') && parseObject(line) === undefined;
}

/** What an answer with an error status means; reads the start of its body. */
export async function statusFailure(response: Response): Promise<OllamaFailure> {
  const text = await startOf(response);
  const value = parseObject(text);
  const isOllama = value !== undefined && 'error' in value && typeof value.error === 'string';
  const problem = value !== undefined && 'error' in value ? errorText(value) : text;
  if (response.status === 404 && isOllama && /\bmodel\b/.test(problem)) return { kind: 'model-missing' };
  return { kind: 'http', problem: shown(`${response.status} ${problem}`), isOllama };
}

async function startOf(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MAX_ERROR_BYTES) break;
  }
  return text;
}

function errorText({ error }: { readonly error: unknown }): string {
  return typeof error === 'string' ? error : JSON.stringify(error);
}

function shown(text: string): string {
  const characters = [...text.replace(/\s+/g, ' ').trim()];
  return characters.length > MAX_SHOWN ? `${characters.slice(0, MAX_SHOWN).join('')}…` : characters.join('');
}

function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined; // not JSON: the caller says so
  }
}
