import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** What came in, and how it went on. */
export interface ReceivedRequest {
  readonly path: string;
  readonly body: unknown;
  /** Whether the reply was read to its end, known when the request is over. */
  readonly over: Promise<'complete' | 'broken off'>;
}

export type Behaviour = (response: ServerResponse) => void;

/** A server that speaks Ollama's /api/chat, on a port of its own on this machine. */
export interface OllamaServer {
  /** As in `OLLAMA_HOST`: `127.0.0.1:PORT`. */
  readonly host: string;
  readonly requests: readonly ReceivedRequest[];
  /** The next request to come, when it has come. */
  nextRequest(): Promise<ReceivedRequest>;
  /** How the server answers from now on. */
  behave(behaviour: Behaviour): void;
  stop(): Promise<void>;
}

export async function startOllamaServer(first: Behaviour = behaviours.hanging()): Promise<OllamaServer> {
  let behaviour = first;
  const requests: ReceivedRequest[] = [];
  const waiting: ((request: ReceivedRequest) => void)[] = [];
  const server = createServer(async (request, response) => {
    const over = once(response, 'close').then(() =>
      response.writableFinished ? ('complete' as const) : ('broken off' as const),
    );
    const received = { path: request.url ?? '', body: await bodyOf(request), over };
    requests.push(received);
    for (const tell of waiting.splice(0)) tell(received);
    behaviour(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    host: `127.0.0.1:${address.port}`,
    requests,
    nextRequest: () => new Promise((resolve) => waiting.push(resolve)),
    behave(next) {
      behaviour = next;
    },
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return text === '' ? undefined : JSON.parse(text);
}

const NDJSON = { 'content-type': 'application/x-ndjson' };
const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

/** Every way to answer; a new one is a new row. */
export const behaviours = {
  /** The reply in pieces, a line each, and the line that ends it. */
  streamed: (pieces: readonly string[], reason = 'stop') =>
    body([...pieces.map((piece) => chatLine(piece)), lastLine('', reason)].join('')),
  /** The reply in one object, as without `"stream":true`. */
  whole: (text: string) => body(lastLine(text).trimEnd(), JSON_TYPE),
  /** Bytes as they are, cut anywhere into writes of their own. */
  written:
    (pieces: readonly (string | Uint8Array)[]): Behaviour =>
    async (response) => {
      response.writeHead(200, NDJSON);
      for (const piece of pieces) await new Promise((resolve) => response.write(piece, resolve));
      response.end();
    },
  body: (text: string) => body(text),
  page: (text: string) => body(text, { 'content-type': 'text/html' }),
  /** `{"error":…}` with a status. */
  error: (status: number, message: unknown) => body(JSON.stringify({ error: message }), JSON_TYPE, status),
  status: (status: number, text: string, headers: Readonly<Record<string, string>> = {}) =>
    body(text, { 'content-type': 'text/plain', ...headers }, status),
  /** A model that fails when it has said something already: the status has gone out. */
  errorInStream: (message: string) => body(chatLine('{"mode"') + JSON.stringify({ error: message })),
  /** The connection ends in the middle of a line, or between two. */
  cutInLine: () => cut(chatLine('{"mode"').slice(0, -20)),
  cutBetweenLines: () => cut(chatLine('{"mode"')),
  /** Ends as a reply should, but without the line that ends it. */
  unfinished: () => body(chatLine('{"mode"')),
  unfinishedLine: () => body(chatLine('{"mode"') + chatLine(':').slice(0, -20)),
  noAnswer: (): Behaviour => (response) => response.destroy(),
  hanging: (): Behaviour => () => {},
  hangingInStream: (): Behaviour => (response) => {
    response.writeHead(200, NDJSON).write(chatLine('{"mode"'));
  },
  hangingError: (): Behaviour => (response) => {
    response.writeHead(500, JSON_TYPE).write('{"error":"');
  },
  /** Complete, but the connection stays open. */
  openEnd: (text: string): Behaviour => {
    return (response) => response.writeHead(200, NDJSON).write(lastLine(text));
  },
  longLine: (bytes: number) => body(lastLine('x'.repeat(bytes))),
  manyLines: (bytes: number) => body(chatLine('x'.repeat(1000)).repeat(bytes / 1000) + lastLine('')),
  /** The same line again and again. */
  endless:
    (line = chatLine('more and '.repeat(20)), status = 200): Behaviour =>
    (response) => {
      response.writeHead(status, NDJSON);
      const more = (): void => {
        if (response.destroyed) return;
        if (response.write(line)) setImmediate(more);
        else response.once('drain', more);
      };
      more();
    },
} as const;

function body(text: string, headers: Readonly<Record<string, string>> = NDJSON, status = 200): Behaviour {
  return (response) => response.writeHead(status, headers).end(text);
}

function cut(text: string): Behaviour {
  return (response) => {
    response.writeHead(200, NDJSON).write(text, () => response.destroy());
  };
}

/** A line of a streamed reply. */
export function chatLine(content: string): string {
  return `${JSON.stringify({ ...START, message: { role: 'assistant', content }, done: false })}\n`;
}

function lastLine(content: string, reason = 'stop'): string {
  const message = { role: 'assistant', content };
  return `${JSON.stringify({ ...START, message, done: true, done_reason: reason, eval_count: 42 })}\n`;
}

const START = { model: 'llama3.2', created_at: '2026-01-01T00:00:00.000000Z' };
