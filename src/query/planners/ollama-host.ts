import { ThreadError } from '../../transcript/errors.js';

const DEFAULT_PORT = '11434';

/** Addresses that a server listens on but that nobody can call: the machine itself is meant. */
const LOOPBACK_OF: ReadonlyMap<string, string> = new Map([
  ['', '127.0.0.1'],
  ['0.0.0.0', '127.0.0.1'],
  ['[::]', '[::1]'],
]);

/**
 * The server's address, as the ollama tool reads `OLLAMA_HOST`: `host`, `host:port`, `:port` or a URL, quotes around it
 * or not; the port is 11434 unless a scheme says otherwise. Unlike that tool, a wrong port is an error, not the default.
 * @returns a URL without a slash at its end
 */
export function serverUrl(host: string | undefined): string {
  const text = (host ?? '').trim().replace(/^["']/, '').replace(/["']$/, '').trim();
  const url = parseUrl(text === 'ollama.com' ? 'https://ollama.com' : text);
  if (url === undefined) throw new ThreadError(wrongHost(text), { hint: 'OLLAMA_HOST=127.0.0.1:11434' });
  return url.href.replace(/\/$/, '');
}

function parseUrl(text: string): URL | undefined {
  const [, scheme, address = '', path = ''] = /^(?:(https?):\/\/)?([^/]*)(.*)$/is.exec(text) ?? [];
  if (path.startsWith('//')) return undefined; // another scheme
  const parts = /^(\[[^\]]*\]|[^:]*)(?::(\d*))?$/.exec(bracketed(address));
  if (parts === null) return undefined;
  const [, name = '', port = ''] = parts;
  const suffix = port !== '' ? `:${port}` : scheme === undefined ? `:${DEFAULT_PORT}` : '';
  const spelled = `${scheme ?? 'http'}://${LOOPBACK_OF.get(name) ?? name}${suffix}${path}`;
  if (!URL.canParse(spelled)) return undefined;
  const url = new URL(spelled);
  return url.href === url.origin + url.pathname ? url : undefined; // no user name, no password, no query
}

/** An IPv6 address may stand without its brackets when no port follows. */
function bracketed(address: string): string {
  return /^[\da-f]*:[\da-f]*:[\da-f:.]*$/i.test(address) ? `[${address}]` : address;
}

/** What stands in front of an `@` may be a password, which is not to be printed. */
function wrongHost(text: string): string {
  return text.includes('@')
    ? 'OLLAMA_HOST: a user name or password in the address is not supported'
    : `OLLAMA_HOST: not an address: ${text}`;
}
