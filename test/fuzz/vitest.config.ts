import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** `npm run fuzz`: what takes longer than `npm test` may. */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: ['test/fuzz/**/*.fuzz.ts'],
    reporters: 'verbose',
    // A hang is the watchdog's to end, with the input that hangs.
    testTimeout: 0,
    hookTimeout: 0,
  },
});
