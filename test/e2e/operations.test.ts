/** What an operator relies on besides trading: doctor, alerts, and a log that tells no secret. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formsOf } from './canary.js';
import { asserted } from './machine-speed.js';
import { isAlive, MAIN, oneDocument, ROOT, run, type Running, start, until, withFolder } from './program.js';

const KEY = 'operator-canary-key+1';
const SECRET = 'operator/canary=secret"2';
const HOOK = 'hook-canary-token-3';
/** Of a doctor whose venue does not answer. */
const DEAF_MS = 3_000;

interface Told {
  readonly kind: string;
  readonly severity: string;
  readonly title: string;
  readonly lines: readonly string[];
  readonly source: string;
}

let venue: { readonly url: string; readonly running: Running };
let receiver: Server;
const bodies: string[] = [];
const told = () => bodies.map((body) => JSON.parse(body) as Told);

beforeAll(async () => {
  const running = start(['venue', '--port', '0', '--account', `${KEY}:${SECRET}`]);
  const stdout = await running.said('listening');
  venue = { url: (JSON.parse(stdout) as { listening: string }).listening, running };
  receiver = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => {
      body += part;
    });
    request.on('end', () => {
      if (request.url?.endsWith(HOOK) === true) bodies.push(body);
      response.end('ok');
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
});

afterAll(async () => {
  venue.running.child.kill('SIGKILL');
  await new Promise((resolve) => receiver.close(resolve));
});

/** A configuration with keys in files, and an alert to the receiver. */
async function botIn(folder: string): Promise<string> {
  const address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/${HOOK}`;
  for (const [name, text] of [
    ['key', KEY],
    ['secret', SECRET],
    ['hook', address],
  ] as const) {
    await writeFile(join(folder, name), `${text}\n`);
    await chmod(join(folder, name), 0o600);
  }
  const config = join(folder, 'bot.yaml');
  const lines = [
    'version: 1',
    'mode: live',
    `venue: { url: ${venue.url}, apiKeyFile: key, apiSecretFile: secret }`,
    'state: state',
    `strategies: [{ file: ${join(ROOT, 'strategies', 'market-maker.ts')}, pair: USD_BTC_PERP }]`,
    'limits: { maxPosition: "0.5", maxOrderQuantity: "0.2", maxGrossNotional: "50000", maxOpenOrders: 20,',
    '  maxOrdersPerMinute: 600, maxDailyLoss: "2000", priceCollar: "0.05" }',
    'alerts: [{ to: webhook, urlFile: hook, minSeverity: info }]',
  ];
  await writeFile(config, `${lines.join('\n')}\n`);
  return config;
}

function expectNoSecret(text: string): void {
  for (const secret of [KEY, SECRET, HOOK]) {
    for (const form of formsOf(secret)) expect(text).not.toContain(form);
  }
}

describe('doctor', () => {
  interface Found {
    readonly name: string;
    readonly status: string;
    readonly detail: string;
    readonly fix: string;
  }
  /** Where everything is slow, a check may miss the time that it has: then it says nothing of what it looks at. */
  const doctor = async (...args: readonly string[]) => {
    for (let left = 10; ; left--) {
      const ended = await run(['doctor', '--config', ...args, '--json']);
      if (left === 0 || !ended.stdout.includes('no answer within')) return ended;
    }
  };
  const checks = (stdout: string) => oneDocument(stdout)['checks'] as readonly Found[];

  it('finds all well with a venue that is up, and shows no secret', () =>
    withFolder(async (folder) => {
      const config = await botIn(folder);
      const { code, stdout, stderr } = await doctor(config);
      const found = checks(stdout);
      expect(found.filter(({ status }) => status === 'fail')).toEqual([]);
      expect(code).toBe(0);
      const names = found.map(({ name }) => name);
      for (const name of ['node', 'config', 'venue', 'clock', 'key', 'state', 'disk', 'limits', 'requests']) {
        expect(names).toContain(name);
      }
      expectNoSecret(stdout + stderr);
      // It changes nothing: not even the folder of the state is there.
      expect((await readdir(folder)).sort()).toEqual(['bot.yaml', 'hook', 'key', 'secret']);
    }));

  it('names what is wrong, with what to do about it, and ends with 3', () =>
    withFolder(async (folder) => {
      const config = await botIn(folder);
      await chmod(join(folder, 'secret'), 0o644);
      const { code, stdout } = await doctor(config);
      expect(code).toBe(3);
      const failed = checks(stdout).filter(({ status }) => status === 'fail');
      expect(failed.map(({ name }) => name)).toEqual(['key']);
      expect(failed[0]?.fix).toContain('600');

      for (const [name, failing, said] of [
        ['key', 'key', /refuses the key/],
        ['secret', 'signature', /bad signature/],
      ] as const) {
        const bot = await botIn(folder);
        await writeFile(join(folder, name), 'another\n');
        const wrong = checks((await doctor(bot, '--live')).stdout);
        const found = wrong.find((check) => check.name === failing);
        expect(found?.status).toBe('fail');
        expect(found?.detail).toMatch(said);
      }
      const right = checks((await doctor(await botIn(folder), '--live')).stdout);
      expect(right.find(({ name }) => name === 'signature')?.status).toBe('ok');
    }));

  it('does not wait for a venue that does not answer', () =>
    withFolder(async (folder) => {
      const deaf = createServer(() => undefined);
      await new Promise<void>((resolve) => deaf.listen(0, '127.0.0.1', resolve));
      const url = `http://127.0.0.1:${(deaf.address() as AddressInfo).port}`;
      const config = join(folder, 'bot.yaml');
      await writeFile(config, `version: 1\nvenue: { url: ${url} }\n`);
      const began = performance.now();
      const { code, stdout } = await run(['doctor', '--config', config, '--json']);
      const took = performance.now() - began;
      deaf.closeAllConnections();
      deaf.close();
      expect(code).toBe(3);
      expect(checks(stdout).find(({ name }) => name === 'venue')?.status).toBe('fail');
      console.log(`doctor on a deaf venue: ${Math.round(took)} ms`);
      expect(took).toBeLessThan(asserted(DEAF_MS));
    }));
});

describe('alerts', () => {
  it('arrive of a start, a pause, an end without order, an orderly one and a panic; no secret is in anything', () =>
    withFolder(async (folder) => {
      const config = await botIn(folder);
      bodies.length = 0;
      const test = await run(['alert', '--test', '--config', config, '--json']);
      expect(oneDocument(test.stdout)['receivers']).toEqual([{ to: 'webhook', delivered: true }]);
      const begin = ['start', '--config', config, '--live', '--no-certificate', '--detach', '--json'];
      const first = await run(begin);
      expect(first.code).toBe(0);
      await until('the alert of the start', () => told().some(({ title }) => title === 'started'));
      expect((await run(['pause', '--config', config, '--reason', 'a\u202etest'])).code).toBe(0);
      await until('the alert of the pause', () => told().some(({ kind }) => kind === 'halt'));
      const pid = oneDocument(first.stdout)['pid'] as number;
      process.kill(pid, 'SIGKILL');
      await until('its end', () => !isAlive(pid));

      const second = await run(begin);
      expect(second.code).toBe(0);
      await until('the alert of that', () => bodies.some((body) => body.includes('did not end in order')));
      const ends = ['stop', '--config', config, '--cancel', '--reason', 'going fishing'];
      expect((await run(ends)).code).toBe(0);
      await until('the alert of the end', () => told().some(({ kind }) => kind === 'stop'));
      // By a process of its own, which has to tell it itself.
      expect((await run(['panic', '--config', config, '--cancel', '--reason', 'fire'])).code).toBe(0);

      const of = (wanted: string) => told().filter(({ kind }) => kind === wanted);
      expect(of('start').map(({ title, severity }) => [title, severity])).toEqual([
        ['this is a test: alerts of this bot arrive here', 'info'],
        ['started', 'info'],
        ['started again: the daemon before did not end in order', 'warning'],
      ]);
      expect(of('halt')[0]).toMatchObject({ severity: 'critical', source: 'live state' });
      expect(of('stop').map(({ title, severity }) => [title, severity])).toEqual([
        ['stopped (cancel)', 'info'],
        ['panic (cancel): ended, and halted until tickwright resume', 'critical'],
      ]);
      expect(of('stop')[0]?.lines).toEqual(['reason: going fishing', expect.stringMatching(/^by: cli \w/)]);
      expectNoSecret(bodies.join('\n') + test.stdout + first.stdout + first.stderr + second.stderr);

      const log = await readFile(join(folder, 'state', 'daemon.log'), 'utf8');
      expect(log).toContain('"msg":"ready"');
      expect(log).not.toContain('\u202e');
      expectNoSecret(log);
    }));
});

describe('the commands of another user', () => {
  const user = { uid: 65_534, gid: 65_534 };
  const canBe = () =>
    process.geteuid?.() === 0 && spawnSync(process.execPath, [MAIN, '--version'], user).status === 0;

  it.skipIf(!canBe()).each([
    ['closed', 0o700],
    ['open to read', 0o755],
  ])(
    'name what is closed to him (state %s), instead of a daemon that is not there (skipped where nobody can run the program)',
    (_, mode) =>
      withFolder(async (folder) => {
        const config = await botIn(folder);
        const state = join(folder, 'state');
        const started = await run(['start', '--config', config, '--detach', '--json']);
        const pid = oneDocument(started.stdout)['pid'] as number;
        try {
          await chmod(folder, 0o755);
          await chmod(state, mode);
          const reason = ['--reason', 'fire'];
          for (const args of [
            ['status'],
            ['pause', ...reason],
            ['open'],
            ['resume', ...reason, '--yes'],
            ['stop'],
            ['panic', ...reason],
          ]) {
            const { code, stderr } = await run([...args, '--config', config], { user });
            expect(stderr).toMatch(
              new RegExp(`^error: ${state}.* must be open to user \\S+, received a refusal: EACCES`),
            );
            expect(code).toBe(2);
          }
          expect(existsSync(join(state, 'HALT'))).toBe(false);
          expect(isAlive(pid)).toBe(true);
        } finally {
          process.kill(pid, 'SIGKILL');
        }
      }),
  );
});
