import { fileURLToPath } from 'node:url';
import { defineConfig, type ViteUserConfig } from 'vitest/config';

const at = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** Named apart, because mergeConfig would join the include lists of the two configs. */
export const tests = {
  include: ['test/**/*.test.ts'],
  exclude: ['test/e2e/**', '**/node_modules/**'],
  pool: 'forks',
  maxWorkers: 2,
  // A worker loads each module once, not once a file: a quarter of the time. What a test replaces it hands over or puts
  // back; a module replaced by `vi.mock` (which `npm run check` refuses) would be so for the files after it, or not at all.
  isolate: false,
  // Nothing waits for these: they end what stands still, also on a machine that is five times slower.
  testTimeout: 150_000,
  hookTimeout: 150_000,
  expect: { poll: { timeout: 60_000 } },
  unstubEnvs: true,
  unstubGlobals: true,
  restoreMocks: true,
  coverage: {
    provider: 'v8',
    include: ['src/**/*.ts'],
    reportsDirectory: at('coverage'),
    reporter: ['text-summary', 'html'],
  },
} satisfies ViteUserConfig['test'];

/** `npm test`. The end-to-end tests, which start processes of the built package, have a config of their own. */
export default defineConfig({
  root: at('.'),
  resolve: {
    alias: [
      { find: /^tickwright$/, replacement: at('src/index.ts') },
      { find: /^tickwright\/indicators$/, replacement: at('src/indicators/index.ts') },
      { find: /^tickwright\/testing$/, replacement: at('src/testing/index.ts') },
    ],
  },
  test: tests,
});
