import { defineConfig } from 'vitest/config';
import base, { tests } from '../vitest.config.js';

/** `npm run e2e`: the built package as a user runs it, in processes and over sockets on loopback. */
export default defineConfig({
  ...base,
  test: {
    ...tests,
    include: ['test/e2e/**/*.test.ts'],
    exclude: [],
    testTimeout: 600_000,
    hookTimeout: 600_000,
    maxConcurrency: 3,
    // They wait for processes and for the clock as much as they compute.
    maxWorkers: 4,
  },
});
