/** Ends that must not claim more than is so: with a position, with another configuration than what ran, without a key. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { askSocket } from '../../src/platform/socket-request.js';
import { addToJournal } from '../../src/cli/journal/write-journal.js';
import { openChronicle } from '../../src/runner/open-chronicle.js';
import { thisMachine } from '../../src/cli/machine.js';
import type { StopProof } from '../../src/runner/stop/stop-proof.js';
import { type DaemonDesk, PAIR, withDesk } from './daemon-desk.js';
import { held, holding } from './holding.js';
import { acceptedOf, prepOf } from '../support/intents.js';
import { isAlive, KEYS, oneDocument, run, start, withFolder } from './program.js';

function proofs(state: string): readonly StopProof[] {
  const folder = join(state, 'proofs');
  if (!existsSync(folder)) return [];
  // One that is being written has a name with a dot before it.
  return readdirSync(folder)
    .filter((name) => !name.startsWith('.'))
    .sort()
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as StopProof);
}

/** The same bot as another file says it: on paper, and at another venue. */
function paperConfig(desk: DaemonDesk, folder: string): string {
  const path = join(folder, 'paper.yaml');
  const text = readFileSync(desk.config, 'utf8')
    .replace('mode: live', 'mode: paper')
    .replace(desk.door.url, 'http://127.0.0.1:1');
  writeFileSync(path, text);
  return path;
}

describe.concurrent('an end', () => {
  it.each([
    ['flatten', {}],
    ['stop', { level: 'flat' }],
  ])('that is asked for by %s over the control surface leaves nothing held, with a proof', (what, words) =>
    withFolder((folder) =>
      withDesk(holding(folder), async (desk) => {
        const pid = await desk.start();
        await held(desk);
        const { socket } = desk.file();
        const body = JSON.stringify({ reason: 'going home', by: 'a test', ...words });
        const answer = await askSocket({
          socket,
          method: 'POST',
          path: `/api/${what}`,
          body,
          timeoutMs: 10_000,
        });
        expect(answer?.status, answer?.body).toBe(200);
        await desk.until('the end', () => !isAlive(pid));
        expect(await desk.position()).toBe(0);
        expect(await desk.orders()).toEqual([]);
        expect(existsSync(join(desk.state, 'daemon.json'))).toBe(false);
        expect(proofs(desk.state)).toMatchObject([
          { level: 'flat', by: 'cli a test', reason: 'going home', proven: true },
        ]);
        expect(desk.log()).toContain('proven at');
        if (what === 'stop') return;
        // Whoever starts it anew does not open again what was closed.
        await desk.start();
        await desk.said('its halt', ({ halted }) => expect(halted?.level).toBe('flatten'));
        expect(await desk.position()).toBe(0);
      }),
    ));

  it('of a live daemon is judged by what ran, whatever the configuration of the one who ends it says', () =>
    withFolder((folder) =>
      withDesk(holding(folder), async (desk) => {
        const config = paperConfig(desk, folder);
        const pid = await desk.start();
        await held(desk);

        // Nobody is ended whose orders cannot be canceled instead.
        const stop = await run(['stop', '--config', config, '--flat', '--json']);
        expect([stop.code, stop.stdout]).toEqual([2, '']);
        expect(stop.stderr).toMatch(/a key must be given/);
        const keyless = await run(['stop', '--config', desk.config, '--cancel']);
        expect(keyless.code).toBe(2);
        expect(isAlive(pid)).toBe(true);
        expect((await desk.orders()).length).toBe(1);

        for (const each of [config, desk.config]) {
          const panic = await run(['panic', '--config', each, '--flat', '--json']);
          expect(panic.code, panic.stderr).toBe(5);
          expect(oneDocument(panic.stdout)).toMatchObject({ proven: false });
          expect(panic.stderr).toMatch(/was not killed.*HALT/);
        }
        expect(isAlive(pid)).toBe(true);
        // It does by itself what it can: the file tells it.
        await desk.until('no order', async () => (await desk.orders()).length === 0);
        expect(await desk.position()).toBe(0.02);

        const { code, stdout, stderr } = await run(['panic', '--config', config, '--flat', '--json'], {
          env: KEYS,
        });
        expect(code, `${stdout}\n${stderr}`).toBe(0);
        expect(oneDocument(stdout)).toMatchObject({ proven: true, level: 'flat', ended: 'killed' });
        expect(isAlive(pid)).toBe(false);
        expect(await desk.position()).toBe(0);
        expect(existsSync(join(desk.state, 'daemon.json'))).toBe(false);
      }),
    ));

  it('of one that hangs before it is ready is not called proven by a configuration on paper', () =>
    withFolder(async (folder) => {
      const machine = thisMachine('error');
      const state = join(folder, 'state');
      const config = join(folder, 'paper.yaml');
      writeFileSync(config, `version: 1\nmode: paper\nvenue: { url: http://127.0.0.1:1 }\nstate: ${state}\n`);
      const story = await openChronicle({
        ...machine,
        directory: join(state, PAIR, 'journal'),
        session: 'a',
        engine: '0',
        hashes: {},
      });
      await story.close();
      const starting = spawn('sleep', ['600'], { stdio: 'ignore' });
      try {
        const stat = readFileSync(`/proc/${starting.pid}/stat`, 'utf8');
        const startedAt = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
        const name = machine.processes.self.split('/').slice(0, -2);
        const owner = [...name, starting.pid, startedAt].join('/');
        expect(machine.processes.stateOf(owner)).toBe('alive');
        mkdirSync(join(state, 'lock'), { recursive: true });
        writeFileSync(join(state, 'lock', `lock-${'a'.repeat(16)}`), `${owner}\n`);
        const { code, stdout } = await run(['panic', '--config', config, '--json']);
        expect(code).toBe(5);
        expect(oneDocument(stdout)).toMatchObject({ proven: false, ended: 'none' });
        expect(starting.exitCode ?? starting.signalCode).toBeNull();
      } finally {
        starting.kill('SIGKILL');
      }
    }));

  it('of a start that is refused does not hide what the daemon before it left behind', () =>
    withFolder((folder) =>
      withDesk(holding(folder), async (desk) => {
        const pid = await desk.start();
        await held(desk);
        process.kill(pid, 'SIGKILL');
        await desk.until('its death', () => !isAlive(pid));
        const before = desk.file();
        const config = join(folder, 'refused.yaml');
        writeFileSync(join(folder, 'hook'), 'ftp://example.org/hook', { mode: 0o600 });
        writeFileSync(
          config,
          `${readFileSync(desk.config, 'utf8')}\nalerts: [{ to: webhook, urlFile: hook }]\n`,
        );
        const refused = await run(['start', '--config', config, '--live', '--no-certificate'], { env: KEYS });
        expect(refused.code, refused.stderr).toBe(78);
        expect(refused.stderr).toMatch(/hook of an alert to webhook must hold an https address/);
        expect(refused.stderr).toMatch(/orders that may still be at the venue: .*USD_BTC_PERP/);
        // Whoever watches it goes on to.
        expect(desk.file()).toEqual(before);
        expect(await desk.orders()).toHaveLength(1);
      }),
    ));

  it('that is interrupted says what may be left, since the bot that knew it is gone', () =>
    withFolder((folder) =>
      withDesk(holding(folder), async (desk) => {
        const pid = await desk.start();
        await held(desk);
        const [order] = await desk.orders();
        desk.door.fate = () => 'lost';
        const { child, ended } = start(['panic', '--flat', '--config', desk.config, '--within', '120s'], {
          env: KEYS,
        });
        const from = performance.now();
        await desk.until('a request', () => desk.door.since(from, /./).length > 0 && !isAlive(pid));
        child.kill('SIGINT');
        const { code, stdout, stderr } = await ended;
        expect([code, stdout]).toEqual([130, '']);
        expect(stderr).toContain(
          `interrupted, so nothing is proven: by its journals the venue may have ${PAIR}: orders ${order}; ${PAIR}: a position of 0.02`,
        );
        // Where nothing is proven, the halt stands.
        expect(existsSync(join(desk.state, 'HALT'))).toBe(true);
        desk.door.fate = () => 'pass';
        expect((await desk.tickwright('panic', '--flat')).code).toBe(0);
        expect([await desk.orders(), await desk.position()]).toEqual([[], 0]);
      }),
    ));

  it('of nobody knows what is no end: without a configuration and a bot nothing is called proven', () =>
    withFolder(async (folder) => {
      for (const command of ['stop', 'panic']) {
        for (const args of [[], ['--flat', '--json'], ...(command === 'stop' ? [['--leave']] : [])]) {
          const { code, stdout, stderr } = await run([command, ...args], { cwd: folder, env: KEYS });
          expect(code).toBe(2);
          expect(stdout).toBe('');
          expect(stderr).toContain(
            'a configuration must be named by --config or $TICKWRIGHT_CONFIG, or be tickwright.yaml here, received none, and var is the state of no bot: nothing was ended',
          );
        }
      }
      expect(existsSync(join(folder, 'var'))).toBe(false);
    }));

  it('is proven beside the journal of a pair that the venue does not have, and not where that has something there', () =>
    withFolder((folder) =>
      withDesk({ folder }, async (desk) => {
        const typo = join(folder, 'typo.yaml');
        const text = readFileSync(desk.config, 'utf8').replaceAll(PAIR, 'USD_XXX_PERP');
        writeFileSync(typo, text);
        const start = ['start', '--config', typo, '--live', '--no-certificate', '--detach'];
        expect((await run(start, { env: KEYS })).code).toBe(78);
        expect(existsSync(join(desk.state, 'USD_XXX_PERP', 'journal'))).toBe(true);
        const pid = await desk.start();
        await desk.quoting();
        const first = await desk.tickwright('stop');
        expect([first.code, isAlive(pid)]).toEqual([0, false]);
        expect(first.stdout).toContain('USD_XXX_PERP: no order of ours was open');
        const records = [prepOf('s1-1'), acceptedOf('s1-1', '43550')].map((record) =>
          record.kind === 'prep' ? { ...record, pair: 'USD_XXX_PERP' } : record,
        );
        await addToJournal(thisMachine('error'), join(desk.state, 'USD_XXX_PERP', 'journal'), () => records);
        const second = await desk.tickwright('stop');
        expect(second.code).toBe(5);
        expect(second.stdout).toContain('NOT PROVEN that order 43550 is gone, which its journal has open');
      }),
    ));

  it('with a key that the venue refuses says so at once, and not when its time is over', () =>
    withFolder((folder) =>
      withDesk(holding(folder), async (desk) => {
        const pid = await desk.start();
        await held(desk);
        const [order] = await desk.orders();
        process.kill(pid, 'SIGKILL');
        await desk.until('its end', () => !isAlive(pid));
        const begun = performance.now();
        const other = { ...KEYS, TICKWRIGHT_VENUE__API_KEY: 'nobody' };
        const { code, stdout } = await run(['stop', '--config', desk.config, '--within', '120s'], {
          env: other,
        });
        expect(code).toBe(5);
        expect(stdout).toMatch(/NOT PROVEN anything about USD_BTC_PERP: .*unknown key/);
        expect(stdout).toContain(`NOT PROVEN that order ${order} is gone, which its journal has open`);
        expect(performance.now() - begun).toBeLessThan(30_000);
        expect(await desk.orders()).toEqual([order]);
      }),
    ));

  it('stands in the journal with who asked for it and why', () =>
    withFolder((folder) =>
      withDesk({ folder }, async (desk) => {
        await desk.start();
        await desk.quoting();
        const beside = await desk.tickwright('attach', '--plan');
        expect(beside.stderr).toContain('a bot writes this journal (process ');
        expect((await desk.tickwright('stop', '--reason', 'going fishing')).code).toBe(0);
        expect((await desk.tickwright('attach', '--plan')).stderr).not.toContain('a bot writes');
        const journal = join(desk.state, PAIR, 'journal');
        const { stdout } = await run(['journal', 'tail', journal, '--json']);
        expect(stdout).toContain('stop (cancel) by stop: going fishing');
      }),
    ));

  it('cancels what a damaged journal still names, and claims no more than that', () =>
    withFolder((folder) =>
      withDesk(holding(folder), async (desk) => {
        const pid = await desk.start();
        await held(desk);
        const [order] = await desk.orders();
        process.kill(pid, 'SIGKILL');
        await desk.until('its end', () => !isAlive(pid));
        const journal = join(desk.state, PAIR, 'journal');
        const name = readdirSync(journal).find((each) => each.startsWith('segment-')) ?? '';
        const bytes = readFileSync(join(journal, name));
        // In the first record, and so before everything that the orders are about.
        bytes[40] = (bytes[40] as number) ^ 1;
        writeFileSync(join(journal, name), bytes);
        const { code, stdout } = await desk.tickwright('panic', '--flat', '--within', '120s');
        expect(await desk.orders()).toEqual([]);
        expect(await desk.position()).toBe(0);
        expect(stdout).toContain(`1 order canceled (${order})`);
        expect(stdout).toContain('NOT PROVEN whether these are all orders of ours: ');
        expect(stdout).not.toContain('not ours');
        expect(code).toBe(5);
      }),
    ));

  it('in order lists what the daemon itself canceled in its proof', () =>
    withFolder((folder) =>
      withDesk(holding(folder), async (desk) => {
        await desk.start();
        await held(desk);
        const resting = await desk.orders();
        const { code, stdout } = await desk.tickwright('stop', '--json');
        expect(code).toBe(0);
        expect(oneDocument(stdout)).toMatchObject({ proven: true, ended: 'ended' });
        expect(proofs(desk.state)).toMatchObject([{ pairs: [{ pair: PAIR, canceled: resting }] }]);
      }),
    ));

  it('of a daemon on paper is proven, but for what a live one before it left behind', () =>
    withFolder((folder) =>
      withDesk(holding(folder), async (desk) => {
        const config = join(folder, 'same-venue.yaml');
        writeFileSync(config, readFileSync(desk.config, 'utf8').replace('mode: live', 'mode: paper'));
        const start = () => run(['start', '--config', config, '--detach']);
        expect((await start()).code).toBe(0);
        const first = await run(['stop', '--config', config, '--flat', '--json']);
        expect([first.code, oneDocument(first.stdout)['proven']]).toEqual([0, true]);

        await desk.start();
        await held(desk);
        expect((await desk.tickwright('stop', '--leave')).code).toBe(0);
        const [resting] = await desk.orders();
        expect((await start()).code).toBe(0);
        const second = await run(['stop', '--config', config, '--flat', '--json']);
        expect(second.code).toBe(5);
        expect(oneDocument(second.stdout)).toMatchObject({
          proven: false,
          unproven: [`${PAIR}: orders ${resting}`, `${PAIR}: a position of 0.02`],
        });
      }),
    ));
});

it('a sentinel leaves a blind daemon alone while the venue is deaf to both, and ends it when it is blind alone later', () =>
  withFolder((folder) =>
    withDesk(holding(folder, { more: 'sentinel: { blind: 5s }' }), async (desk) => {
      const sentinel = desk.background('sentinel');
      await sentinel.said('sentinel: watching');
      const pid = await desk.start();
      await held(desk);
      desk.door.fate = () => 'lost';
      await sentinel.said('does not answer here either');
      desk.door.fate = () => 'pass';
      await desk.until(
        'fresh news',
        async () => ((await desk.status()).pairs[0]?.pollAgeMs ?? Number.NaN) < 2_000,
      );
      await new Promise((resolve) => setTimeout(resolve, 3_000));
      expect(isAlive(pid)).toBe(true);
      expect(await desk.orders()).toHaveLength(1);

      // From now on the daemon alone hears nothing.
      desk.door.fate = ({ path }) => (isAlive(pid) && !/account|personal|time/.test(path) ? 'lost' : 'pass');
      await desk.until('no order', async () => (await desk.orders()).length === 0);
      expect(isAlive(pid)).toBe(false);
      await desk.until('a proof', () => proofs(desk.state).length === 1);
      expect(proofs(desk.state)).toMatchObject([{ by: 'sentinel', level: 'cancel', proven: true }]);
    }),
  ));
