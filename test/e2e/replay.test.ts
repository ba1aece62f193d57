import { appendFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { KEYS, run, runJson, startVenue, withFolder } from './program.js';

it('a live session with a journal is executed again as a whole by another process, and what was changed is named', () =>
  withFolder(async (cwd) => {
    const { url, running } = await startVenue(['--synthetic', '7']);
    try {
      const at = ['--venue', url, '--journal', 'bot', '--poll', '100ms', '--for', '3s', '--json'];
      const live = await runJson(['run', 'market-maker', '--live', ...at], { cwd, env: KEYS });
      const session = String(live['capture']);
      expect(await readdir(join(cwd, 'bot', 'capture'))).toHaveLength(1);
      const same = { identical: true, end: 'orderly', decisionHash: live['decisionHash'] };
      const replayed = await runJson(['replay', session, '--json'], { cwd });
      expect(replayed).toMatchObject(same);
      expect(await runJson(['parity', 'bot', '--json'], { cwd })).toMatchObject(same);

      const { code, stdout } = await run(['replay', session, '--until', '10'], { cwd });
      expect(code).toBe(0);
      expect(stdout).toMatch(/^event 10 of tw-[^]*10 events: identical/);

      const segment = join(cwd, session, 'segment-000001.ndjson.gz');
      const bytes = await readFile(segment);
      const middle = Math.floor(0.75 * bytes.length);
      bytes[middle] = (bytes[middle] as number) ^ 1;
      await writeFile(segment, bytes);
      const changed = await run(['parity', session], { cwd });
      expect(changed.code).toBe(3);
      expect(changed.stdout).toMatch(/^NOT identical: from event \d+ on the recording was changed/);
    } finally {
      running.child.kill();
    }
  }));

it('another strategy than the session ran is named before anything else', () =>
  withFolder(async (cwd) => {
    const { url, running } = await startVenue(['--synthetic', '7']);
    try {
      const strategy = join(cwd, 'mine.ts');
      const code =
        "import { defineStrategy } from 'tickwright';\nexport default defineStrategy({ name: 'mine', create: () => ({}) });\n";
      await writeFile(strategy, code);
      const at = ['--venue', url, '--journal', 'bot', '--for', '1s', '--json'];
      await runJson(['run', strategy, '--live', ...at], { cwd, env: KEYS });
      await appendFile(strategy, 'console.log(1);\n');
      const { code: exit, stdout } = await run(['replay', 'bot', '--json'], { cwd });
      expect(exit).toBe(3);
      const [document = ''] = stdout.split('\n').filter((line) => line.startsWith('{'));
      expect(JSON.parse(document)).toMatchObject({
        identical: false,
        firstDifference: { kind: 'strategy', event: 0, where: strategy },
      });
    } finally {
      running.child.kill();
    }
  }));
