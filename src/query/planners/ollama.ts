import { Ollama } from 'ollama';
import { plannerError, type Server } from './ollama-failure.js';
import { serverUrl } from './ollama-host.js';
import { soundReply, statusFailure } from './ollama-reply.js';
import { PlannerError } from './planner-error.js';

export interface OllamaOptions {
  /** As in `OLLAMA_HOST`; undefined stands for this machine's port 11434. */
  readonly host: string | undefined;
  readonly model: string;
  readonly timeoutMs: number;
  /** The plan's JSON Schema. */
  readonly schema: object;
}

export interface OllamaPlanner {
  readonly name: 'ollama';
  plan(
    input: { readonly system: string; readonly prompt: string },
    signal?: AbortSignal,
  ): Promise<{ readonly kind: 'text'; readonly text: string }>;
}

/** The plan has to fit in this: a model that rambles is stopped. */
const MAX_TOKENS = 512;

/**
 * A planner that asks a model of an Ollama server. Its text is whatever the model said, and yet to be validated.
 * @throws ThreadError when the host is no address; `plan` rejects with a `PlannerError`
 */
export function createOllamaPlanner({ host, model, timeoutMs, schema }: OllamaOptions): OllamaPlanner {
  const server: Server = { url: serverUrl(host), model, timeoutMs };
  return {
    name: 'ollama',
    async plan({ system, prompt }, signal) {
      const messages = [
        { role: 'system', content: system },
        { role: 'user', content: prompt },
      ];
      return { kind: 'text', text: await untilStopped(server, signal, chat(server, messages, schema)) };
    },
  };
}

type Message = { readonly role: string; readonly content: string };

/** Gives the work a signal that stops it on a timeout, on cancellation, and when it has ended with a reply left unread. */
async function untilStopped<Result>(
  server: Server,
  signal: AbortSignal | undefined,
  work: (stop: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const stop = new AbortController(); // AbortSignal.any would need Node 20.3
  const { timeoutMs } = server;
  const cancel = (): void => stop.abort(plannerError(server, { kind: 'cancelled' }));
  const expire = (): void =>
    stop.abort(plannerError(server, { kind: 'timeout', afterMs: timeoutMs, isOurs: true }));
  const timer = setTimeout(expire, Math.min(timeoutMs, LONGEST_TIMER_MS));
  signal?.addEventListener('abort', cancel, { once: true });
  try {
    if (signal?.aborted) cancel();
    return await work(stop.signal);
  } catch (error) {
    throw stop.signal.aborted ? stop.signal.reason : connectionError(server, error);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', cancel);
    stop.abort();
  }
}

/** Above it, timers fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

function chat(server: Server, messages: readonly Message[], schema: object) {
  return async (stop: AbortSignal): Promise<string> => {
    const client = new Ollama({ host: server.url, fetch: guardedFetch(server, stop) });
    const reply = await client.chat({
      model: server.model,
      messages: [...messages],
      stream: true,
      think: false, // the tokens are for the plan
      options: { temperature: 0, seed: 0, num_predict: MAX_TOKENS },
      format: schema,
    });
    let text = '';
    for await (const piece of reply) {
      text += piece.message.content;
      if (piece.done_reason === 'length')
        throw plannerError(server, { kind: 'too-long', limit: `${MAX_TOKENS} tokens` });
    }
    return text;
  };
}

/**
 * The package's own handling of failures prints on the console and cannot be stopped before the reply starts, so it only
 * ever sees sound replies. A redirection is a failure: the conversation goes nowhere but to the server that was named.
 */
function guardedFetch(server: Server, signal: AbortSignal): typeof fetch {
  return async (url, init) => {
    const response = await fetch(url, { ...init, signal, redirect: 'manual' });
    if (!response.ok) throw plannerError(server, await statusFailure(response));
    if (response.body === null) throw plannerError(server, { kind: 'cut' });
    return new Response(response.body.pipeThrough(soundReply(server)));
  };
}

const UNREACHABLE: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'nothing listens there'],
  ['ENOTFOUND', 'no such host'],
  ['EAI_AGAIN', 'no such host'],
  ['EHOSTUNREACH', 'no way to that host'],
  ['ENETUNREACH', 'no way to that host'],
  ['ETIMEDOUT', 'that host does not answer'],
  ['UND_ERR_CONNECT_TIMEOUT', 'that host does not answer'],
  ['bad port', 'HTTP is never spoken at that port'],
]);

const BROKEN_OFF = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/** Node's own limit, which no option of `fetch` moves. */
const SILENCE = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);
const SILENCE_MS = 300_000;

/** Names what `fetch` reports as a `TypeError` with a cause; anything else is passed on as it is. */
function connectionError(server: Server, error: unknown): unknown {
  if (error instanceof PlannerError || !(error instanceof TypeError)) return error;
  const { cause } = error;
  if (!(cause instanceof Error)) return error;
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message;
  const problem = UNREACHABLE.get(code);
  if (problem !== undefined) return plannerError(server, { kind: 'not-running', problem }, error);
  if (BROKEN_OFF.has(code)) return plannerError(server, { kind: 'cut' }, error);
  if (SILENCE.has(code))
    return plannerError(server, { kind: 'timeout', afterMs: SILENCE_MS, isOurs: false }, error);
  return plannerError(server, { kind: 'http', problem: `no HTTP (${code})`, isOllama: false }, error);
}
