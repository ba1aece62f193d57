/** A strategy that does not return: the one thread that trades sees nothing any more, not even Ctrl-C. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { start, withFolder } from './program.js';

const SPINNING = `import { defineStrategy } from 'tickwright';
export default defineStrategy({
  name: 'spin',
  create: () => ({
    onTrade() {
      for (;;);
    },
  }),
});
`;

it.concurrent.each([
  ['SIGTERM', [], 'SIGTERM'],
  ['the end of its --for', ['--for', '7s'], undefined],
] as const)('%s ends a session whose strategy spins, after some patience', (_, more, signal) =>
  withFolder(async (cwd) => {
    const file = join(cwd, 'spin.ts');
    await writeFile(file, SPINNING);
    const demo = start(['demo', '--no-dashboard', '--strategy', file, ...more], { cwd });
    try {
      await demo.said('spin has not returned for');
      if (signal !== undefined) demo.child.kill(signal);
      await demo.said('is to end and has not returned: the process is ended in');
      await demo.ended;
      expect(demo.child.signalCode).toBe('SIGKILL');
      expect(demo.words()).toContain('the process is killed');
    } finally {
      demo.child.kill('SIGKILL');
    }
  }));

it.concurrent.each([
  ['the demo', ['--no-dashboard']],
  ['the demo with a dashboard', []],
])('%s says how it can be ended while its strategy spins, and that ends it', (_, more) =>
  withFolder(async (cwd) => {
    const file = join(cwd, 'spin.ts');
    await writeFile(file, SPINNING);
    const demo = start(['demo', '--strategy', file, ...more], { cwd });
    try {
      await demo.said('spin has not returned for');
      demo.child.kill('SIGINT');
      expect(demo.words()).toContain(`Ctrl-\\, or kill -9 ${demo.child.pid}, ends the process at once`);
      // What the console sends for that key.
      demo.child.kill('SIGQUIT');
      const { code } = await demo.ended;
      expect([code, demo.child.signalCode]).toEqual([null, 'SIGQUIT']);
    } finally {
      demo.child.kill('SIGKILL');
    }
  }));
