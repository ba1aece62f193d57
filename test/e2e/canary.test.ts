import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { artefactsIn, CANARY, formsOf, leaks, tappedWire } from './canary.js';
import { run, start, until, withFolder } from './program.js';

const FAULTS = `version: 1
seed: 3
rules:
  - { name: 503 after, fault: unavailable, executed: true, place: { path: /auth/order }, probability: 0.03 }
  - { name: reset after, fault: reset, executed: true, place: { path: /auth/order }, probability: 0.03 }
  - { name: read 503, fault: unavailable, executed: true, place: { calls: read }, probability: 0.02 }
`;

it('neither the key, nor the secret, nor any signature stands in anything that a live session leaves behind', () =>
  withFolder(async (folder) => {
    const bot = join(folder, 'bot');
    await mkdir(bot);
    const faults = join(folder, 'faults.yaml');
    await writeFile(faults, FAULTS);
    const account = `${CANARY.key}:${CANARY.secret}`;
    const venue = start(
      ['venue', '--port', '0', '--synthetic', '7', '--account', account, '--faults', faults],
      {
        cwd: folder,
      },
    );
    const { listening } = JSON.parse(await venue.said('listening')) as { listening: string };
    const wire = await tappedWire(listening);
    try {
      const env = {
        TICKWRIGHT_VENUE__API_KEY: CANARY.key,
        TICKWRIGHT_VENUE__API_SECRET: CANARY.secret,
        TICKWRIGHT_LOG: 'debug',
      };
      const at = ['--venue', wire.url];
      const live = ['run', 'market-maker', '--live', '--journal', 'here', '--poll', '100ms'];
      const trading = start([...live, ...at, '--set', 'requote=0', '--json'], { cwd: bot, env });
      let hasEnded = false;
      void trading.ended.then(() => {
        hasEnded = true;
      });
      await until('enough to leak', () => hasEnded || (wire.keyed() > 300 && wire.signatures.size > 15));
      trading.child.kill('SIGINT');
      const session = await trading.ended;
      expect([130, 5], session.stderr).toContain(session.code);
      const others = [
        await run(['journal', 'tail', 'here/journal', '-n', '1000', '--json'], { cwd: bot, env }),
        await run(['replay', 'here', '--json'], { cwd: bot, env }),
        await run(['attach', '--plan', '--journal', 'here', ...at], { cwd: bot, env }),
        await run(['orders', '--state', 'all', ...at, '--json'], { cwd: bot, env }),
        await run(['orders', ...at], {
          cwd: bot,
          env: { ...env, TICKWRIGHT_VENUE__API_KEY: `${CANARY.key}!` },
        }),
      ];
      const files = await artefactsIn(bot);
      const said = [session, ...others].flatMap(({ stdout, stderr }, index) => [
        { name: `stdout ${index}`, text: stdout },
        { name: `stderr ${index}`, text: stderr },
      ]);
      const secrets = [CANARY.key, CANARY.secret, ...wire.signatures];
      expect(leaks([...files, ...said], secrets)).toEqual([]);

      // It says something only if there was something to leak, and somebody who would have seen it.
      expect(wire.keyed()).toBeGreaterThan(50);
      expect(wire.signatures.size).toBeGreaterThan(5);
      expect(session.stderr).toContain('"level":"debug"');
      // The venue repeated them, and what it said was written down without them.
      const all = [...files, ...said].map(({ text }) => text).join('\n');
      expect(all.includes('[redacted]')).toBe(true);
      expect(files.map(({ name }) => name)).toEqual(
        expect.arrayContaining([
          expect.stringMatching(/journal\/segment-/),
          expect.stringMatching(/journal\/snapshot-/),
          expect.stringMatching(/capture\/.*segment/),
        ]),
      );
      for (const secret of secrets) {
        for (const form of formsOf(secret)) {
          expect(leaks([{ name: 'planted', text: `x${form}y` }], [secret])).not.toEqual([]);
        }
      }
    } finally {
      wire.close();
      venue.child.kill();
      await venue.ended;
    }
  }));
