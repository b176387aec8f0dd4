import { expect, test } from 'vitest';
import { serverUrl } from '../../../src/query/planners/ollama-host.js';

const addresses: readonly (readonly [string | undefined, string])[] = [
  [undefined, 'http://127.0.0.1:11434'],
  ['', 'http://127.0.0.1:11434'],
  ['  ', 'http://127.0.0.1:11434'],
  ['example.com', 'http://example.com:11434'],
  ['example.com:1234', 'http://example.com:1234'],
  ['example.com:', 'http://example.com:11434'],
  [':1234', 'http://127.0.0.1:1234'],
  ['"10.0.0.5:1234"', 'http://10.0.0.5:1234'],
  [" 'example.com' ", 'http://example.com:11434'],
  ['http://', 'http://127.0.0.1'],
  ['http://example.com', 'http://example.com'],
  ['https://example.com', 'https://example.com'],
  ['https://example.com:1234/', 'https://example.com:1234'],
  ['example.com/ollama/', 'http://example.com:11434/ollama'],
  ['0.0.0.0', 'http://127.0.0.1:11434'],
  ['0.0.0.0:1234', 'http://127.0.0.1:1234'],
  ['::', 'http://[::1]:11434'],
  ['[::]:1234', 'http://[::1]:1234'],
  ['::1', 'http://[::1]:11434'],
  ['[::1]', 'http://[::1]:11434'],
  ['[2001:db8::1]:1234', 'http://[2001:db8::1]:1234'],
  ['ollama.com', 'https://ollama.com'],
];

test.each(addresses)('%j is %s', (host, url) => {
  expect(serverUrl(host)).toBe(url);
});
