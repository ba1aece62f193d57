import { defineConfig } from 'vitest/config';
import base, { tests } from '../vitest.config.js';

/** `npm run e2e`: the built package as a user runs it, in processes and over sockets on loopback. */
export default defineConfig({
  ...base,
  test: {
    ...tests,
    include: ['test/e2e/**/*.test.ts'],
    exclude: [],
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
