/** Programs whose stdout takes nothing: they have work to do that nobody has to read of, and exit codes of their own. */
import { closeSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { DaemonStatus } from '../../src/daemon/daemon-api.js';
import { closedPort, httpServer } from '../client/local-server.js';
import { PAIR, withDesk } from './daemon-desk.js';
import { type Ended, KEYS, run, runJson, start, type Surroundings, until, withFolder } from './program.js';

describe('a daemon goes on, says so in its log and ends in order', () => {
  it.each(['a pipe that is closed', 'a disk that is full'])('with its stdout on %s', (what) =>
    withFolder((folder) =>
      withDesk({ folder }, async (desk) => {
        const config = join(folder, 'paper.yaml');
        writeFileSync(config, readFileSync(desk.config, 'utf8').replace('mode: live', 'mode: paper'));
        const full = openSync('/dev/full', 'w');
        const isPipe = what.startsWith('a pipe');
        const daemon = start(['start', '--config', config, '--json'], isPipe ? {} : { stdout: full });
        try {
          daemon.child.stdout?.destroy();
          await daemon.said('stdout takes nothing any more');
          expect(daemon.words()).toContain(isPipe ? 'EPIPE' : 'ENOSPC');
          await until('its status', async () => {
            const { stdout } = await run(['status', '--config', config, '--json']);
            const { state, pid } = JSON.parse(stdout) as DaemonStatus;
            return state === 'running' && pid === daemon.child.pid;
          });
          expect(daemon.words().split('stdout takes nothing')).toHaveLength(2);
          daemon.child.kill('SIGTERM');
          const { code, stderr } = await daemon.ended;
          expect(code, stderr).toBe(0);
          expect(stderr).toContain('signal SIGTERM');
          expect(readdirSync(join(desk.state, 'lock'))).toEqual([]);
        } finally {
          daemon.child.kill('SIGKILL');
          closeSync(full);
        }
      }),
    ));
});

/** Runs a command whose stdout has lost its reader before anything comes. */
function runUnread(args: readonly string[], surroundings?: Surroundings): Promise<Ended> {
  const { child, ended } = start(args, surroundings);
  child.stdout?.destroy();
  return ended;
}

/** Does nothing. */
const QUIET = `import { defineStrategy } from 'tickwright';
export default defineStrategy({ name: 'quiet', create: () => ({ onTrade: () => undefined }) });
`;

/** More than one chunk of trades in one day, as CSV. */
function manyTrades(): string {
  const time = (second: number) => Date.UTC(2026, 0, 5) + second * 1_000;
  const rows = Array.from({ length: 70_000 }, (_, at) => `${at + 1},true,true,0.1,60000.5,${time(at)}`);
  return ['id,is_buyer_maker,is_best_match,qty,price,time', ...rows, ''].join('\n');
}

describe.concurrent('a command whose stdout has no reader any more', () => {
  it.each([
    ['a closed pipe', 'its result'],
    ['a full disk', 'its result'],
    ['a full disk', 'a document without a key'],
  ] as const)('is a panic that proves nothing, on %s, with %s: it ends as one and tells its receiver', (place, what) =>
    withFolder(async (folder) => {
      const receiver = await httpServer((_, response) => response.end());
      const hook = join(folder, 'hook');
      writeFileSync(hook, receiver.url, { mode: 0o600 });
      const full = openSync('/dev/full', 'w');
      try {
        await withDesk({ folder, more: `alerts: [{ to: webhook, urlFile: ${hook} }]` }, async (desk) => {
          const dead = ['--config', desk.config, '--venue', await closedPort()];
          const isDocument = what === 'a document without a key';
          const args = ['panic', '--flat', '--within', '1s', ...(isDocument ? ['--json'] : []), ...dead];
          const { code, stderr } = await runUnread(args, {
            ...(isDocument ? {} : { env: KEYS }),
            ...(place === 'a full disk' ? { stdout: full } : {}),
          });
          expect(code, stderr).toBe(5);
          expect(stderr).toContain(`halted: ${join(desk.state, 'HALT')} is there`);
        });
        const told = receiver.seen.map(({ body }) => JSON.parse(body) as { readonly severity: string });
        expect(told.map(({ severity }) => severity)).toEqual(['critical']);
      } finally {
        closeSync(full);
        await receiver.close();
      }
    }));

  it('is a check of a bad configuration: it says so by its exit code', () =>
    withFolder(async (folder) => {
      const config = join(folder, 'bad.yaml');
      writeFileSync(config, 'version: 1\nmode: dead\n');
      expect(await runUnread(['check', '--config', config], { cwd: folder })).toMatchObject({
        code: 3,
        stderr: '',
      });
    }));

  it('is one that shows something and asks nobody: it acts', () =>
    withFolder((folder) =>
      withDesk({ folder }, async (desk) => {
        const unread = (...args: readonly string[]) =>
          runUnread([...args, '--yes', '--config', desk.config], { env: KEYS });
        const quiet = join(folder, 'quiet.ts');
        writeFileSync(quiet, QUIET);
        await desk.start();
        await desk.quoting();
        expect(await unread('swap', quiet, '--no-certificate')).toMatchObject({ code: 0 });
        expect((await desk.status()).pairs[0]?.strategy).toBe('quiet');

        await desk.tickwright('stop');
        const vouch = await unread('attach', '--accept', '--by', 'anna', '--reason', 'she looked');
        expect(vouch).toMatchObject({ code: 0, stderr: expect.stringContaining('written: ') as string });
        const journal = await runJson(['journal', 'tail', join(desk.state, PAIR, 'journal'), '--json']);
        expect(JSON.stringify(journal)).toContain('she looked');
      }),
    ));

  it('is an export: it ends at once, and reads no day for nobody', () =>
    withFolder(async (folder) => {
      const csv = join(folder, 'trades.csv');
      writeFileSync(csv, manyTrades());
      const data = join(folder, 'data');
      await runJson(['data', 'import', csv, '--pair', PAIR, '--out', data, '--json']);
      // Whoever reads it says so.
      writeFileSync(join(data, PAIR, '2026-01-06.arrow'), 'not what it is called');
      const whole = await run(['data', 'export', data, '--format', 'csv']);
      expect([whole.code, whole.stderr]).toEqual([3, expect.stringContaining('2026-01-06.arrow')]);
      expect(await runUnread(['data', 'export', data, '--format', 'csv'])).toMatchObject({
        code: 0,
        stderr: '',
      });
    }));
});
