import { PlannerError } from './planner-error.js';

/** The model that is asked, and where and for how long. */
export interface Server {
  readonly url: string;
  readonly model: string;
  readonly timeoutMs: number;
}

export type OllamaFailure =
  | { readonly kind: 'not-running'; readonly problem: string }
  | { readonly kind: 'model-missing' }
  /** `isOurs`: the time was that of `--timeout`, which can be given more. */
  | { readonly kind: 'timeout'; readonly afterMs: number; readonly isOurs: boolean }
  | { readonly kind: 'cut' }
  /** `isOllama`: the answer has Ollama's own form, so it is no other server that was called by mistake. */
  | { readonly kind: 'http'; readonly problem: string; readonly isOllama: boolean }
  | { readonly kind: 'too-long'; readonly limit: string }
  | { readonly kind: 'cancelled' };

/** The failure in the user's words, with the next command to type. */
export function plannerError(server: Server, failure: OllamaFailure, cause?: unknown): PlannerError {
  const { message, hint } = describe(server, failure);
  return new PlannerError(failure.kind, `ollama: ${message}`, { hint, cause });
}

function describe({ url, model }: Server, failure: OllamaFailure): { message: string; hint: string } {
  switch (failure.kind) {
    case 'not-running':
      return {
        message: `cannot reach ${url}: ${failure.problem}`,
        hint: isLoopback(url) ? 'ollama serve' : probe(url),
      };
    case 'model-missing':
      return { message: `${url} has no model ${model}`, hint: `ollama pull ${shellWord(model)}` };
    case 'timeout':
      return {
        message: `no plan from ${model} at ${url} within ${failure.afterMs / 1000} s`,
        hint: failure.isOurs ? `--timeout ${Math.ceil(failure.afterMs / 1000) * 2}` : tryModel(model),
      };
    case 'cut':
      return {
        message: `${url} broke its reply off before it was complete`,
        hint: tryModel(model),
      };
    case 'http':
      return {
        message: `${url} answered: ${failure.problem}`,
        hint: failure.isOllama ? tryModel(model) : `is that an Ollama server? ${probe(url)}`,
      };
    case 'too-long':
      return {
        message: `the reply of ${model} did not end within ${failure.limit}`,
        hint: 'another model may keep to the plan: ollama list, then --model NAME',
      };
    case 'cancelled':
      return { message: 'cancelled', hint: 'a plan without a server: --planner embedded' };
  }
}

function isLoopback(url: string): boolean {
  return /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(new URL(url).hostname);
}

function tryModel(model: string): string {
  return `does the model answer at all? ollama run ${shellWord(model)} hello`;
}

function probe(url: string): string {
  return `curl ${shellWord(`${url}/api/version`)}`;
}

/** As it has to be typed in a shell. */
function shellWord(text: string): string {
  return /^[\w.:/@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
