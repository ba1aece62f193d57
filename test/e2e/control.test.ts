/** The control surface of a real daemon: fast also while its engine hangs, changed while it runs, and without a leak. */
import { createServer } from 'node:http';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { DaemonStatus } from '../../src/daemon/daemon-api.js';
import { askSocket } from '../../src/platform/socket-request.js';
import { artefactsIn, leaks } from './canary.js';
import { type DaemonDesk, PAIR, withDesk } from './daemon-desk.js';
import { asserted } from './machine-speed.js';
import { isAlive, oneDocument, run, SECRET, withFolder } from './program.js';

/** Never ends after some seconds. */
const BLOCKING = `import { defineStrategy } from 'tickwright';
export default defineStrategy({
  name: 'blocking',
  create() {
    let tickers = 0;
    return {
      onTicker() {
        if (++tickers > 15) for (;;);
      },
    };
  },
});
`;
const QUIET = `import { defineStrategy } from 'tickwright';
export default defineStrategy({ name: 'quiet', create: () => ({ onTrade() {} }) });
`;
const BAD = QUIET.replace('onTrade() {}', "onTrade() { throw new Error('it is bad'); }").replace(
  'quiet',
  'bad',
);
/** Bounds of the product, ms. */
const [SOCKET_MS, COMMAND_MS] = [200, 400];

async function timed<T>(times: number, work: () => Promise<T>): Promise<{ all: number[]; answers: T[] }> {
  const all: number[] = [];
  const answers: T[] = [];
  for (let n = 0; n < times; n++) {
    const began = performance.now();
    answers.push(await work());
    all.push(performance.now() - began);
  }
  return { all: all.sort((a, b) => a - b), answers };
}
const usual = (sorted: readonly number[]): number => sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
const told = (name: string, { all }: { all: readonly number[] }) => {
  const ms = (at: number) => `${Math.round(all[at] ?? 0)} ms`;
  process.stdout.write(
    `${name}: median ${Math.round(usual(all))} ms, longest ${ms(all.length - 1)} of ${all.length}\n`,
  );
};

async function measured(desk: DaemonDesk, name: string, state: string): Promise<void> {
  const { socket } = desk.file();
  const asked = await timed(20, () =>
    askSocket({ socket, method: 'GET', path: '/api/status', timeoutMs: 10_000 }),
  );
  const commands = await timed(5, () => desk.tickwright('status', '--json'));
  told(`status at the socket, ${name}`, asked);
  told(`status as a command, ${name}`, commands);
  // One that came too late was kept from the processor, and so was an engine that was taken for hung: most are not.
  const most = { socket: usual(asked.all), command: usual(commands.all) };
  const states = asked.answers.map(
    (answer) => (JSON.parse(answer?.body ?? '{}') as { state?: string }).state,
  );
  expect(states.filter((each) => each === state).length, states.join()).toBeGreaterThan(states.length / 2);
  // Not from the journal: the daemon itself answered.
  expect(commands.answers.map(({ stdout }) => oneDocument(stdout))).toContainEqual(
    expect.objectContaining({ state, version: expect.any(String) as string }),
  );
  expect(most.socket).toBeLessThan(asserted(SOCKET_MS));
  expect(most.command).toBeLessThan(asserted(COMMAND_MS));
}

it('says how it is in time while the engine runs', () =>
  withFolder((folder) =>
    withDesk({ folder }, async (desk) => {
      await desk.start();
      await desk.quoting();
      await measured(desk, 'engine at work', 'running');
    }),
  ));

it('says how it is in time while the engine hangs', () =>
  withFolder(async (folder) => {
    const file = join(folder, 'blocking.ts');
    writeFileSync(file, BLOCKING);
    const strategies = `  - { file: ${file}, pair: ${PAIR} }`;
    await withDesk({ folder, strategies, more: 'daemon: { hang: 300s }' }, async (desk) => {
      await desk.start();
      // For longer than a machine under load stalls anybody.
      await desk.until('hung', async () => {
        const { state, problems }: Partial<DaemonStatus> = await desk.status();
        const ageMs = Number(/heart beat (\d+) ms ago/.exec(problems?.[0] ?? '')?.[1] ?? 0);
        return state === 'hung' && ageMs > 8_000;
      });
      await measured(desk, 'engine hung', 'hung');
      expect((await desk.tickwright('pause')).stderr).toMatch(/does not answer/);
    });
  }));

it('changes what runs, keeps what would fail from running, and says who did it', () =>
  withFolder(async (folder) => {
    const [quiet, bad] = [join(folder, 'quiet.ts'), join(folder, 'bad.ts')];
    writeFileSync(quiet, QUIET);
    writeFileSync(bad, BAD);
    await withDesk({ folder, more: 'control: { http: "127.0.0.1:0" }' }, async (desk) => {
      const first = await desk.start();
      await desk.quoting();
      const width = (wanted: string) =>
        desk.said(`a width of ${wanted}`, ({ pairs }) => expect(pairs[0]?.params?.['width']).toBe(wanted));

      const dry = await desk.tickwright('set', 'width=3', '--dry-run', '--json');
      expect([0, 3], dry.stderr).toContain(dry.code);
      expect(oneDocument(dry.stdout)).toMatchObject({ params: [{ name: 'width', changed: '3' }] });
      await width('1');
      expect((await desk.tickwright('set', 'width=3')).stderr).toMatch(/needs a valid certificate/);
      expect((await desk.tickwright('set', 'no=1', '--no-certificate')).stderr).toMatch(/must be one of/);
      const set = await desk.tickwright('set', 'width=3', '--no-certificate', '--json');
      expect(oneDocument(set.stdout)).toMatchObject({ done: `${PAIR}: width 1 -> 3`, persisted: false });
      await width('3');
      await desk.quoting();

      expect((await desk.tickwright('swap', bad, '--yes', '--no-certificate')).stderr).toMatch(/it is bad/);
      await desk.quoting();
      const swap = await desk.tickwright('swap', quiet, '--yes', '--no-certificate', '--reason', 'rest');
      expect(swap.code, swap.stderr).toBe(0);
      await desk.said('what runs', ({ pairs, pid }) =>
        expect([pid, pairs[0]?.strategy]).toEqual([first, 'quiet']),
      );
      expect(await desk.orders()).toEqual([]);

      expect((await desk.tickwright('pause', '--reason', 'lunch')).code).toBe(0);
      writeFileSync(join(desk.state, 'HALT'), '');
      expect((await desk.tickwright('resume', '--reason', 'back', '--yes')).stderr).toMatch(
        /HALT must be gone/,
      );
      await desk.tickwright('stop');
      const journal = join(desk.state, PAIR, 'journal');
      const { stdout: records } = await run(['journal', 'tail', journal, '-n', '100000', '--json']);
      expect(records).toMatch(/width 1 -> 3; by cli \w+/);
      expect(records).toMatch(
        /market-maker \w{12} -> quiet \w{12}.*; by cli \w+: rest; with --no-certificate/,
      );
      expect(records).toMatch(/"by":"cli \w+"/);
      rmSync(join(desk.state, 'HALT'));
      const resumed = await desk.tickwright('resume', '--reason', 'back', '--by', 'anna', '--yes', '--json');
      expect(oneDocument(resumed.stdout)).toMatchObject({ halt: 'pause', resumed: true });
    });
  }));

it('leaks neither keys nor tokens into logs, journals, answers and files, and keeps its files to itself', () =>
  withFolder((folder) =>
    withDesk({ folder, more: 'control: { http: "127.0.0.1:0", dashboard: true }' }, async (desk) => {
      await desk.start();
      await desk.quoting();
      const { url = '', socket } = desk.file();
      const token = (name: string) => readFileSync(join(desk.state, `${name}.token`), 'utf8').trim();
      const [read, control] = [token('read'), token('control')];
      const said: { name: string; text: string }[] = [];
      for (const path of [
        'status',
        'recent?kind=log&n=500',
        'recent?kind=fill',
        'session',
        `candles?pair=${PAIR}`,
      ]) {
        const answer = await fetch(`${url}/api/${path}`, { headers: { authorization: `Bearer ${control}` } });
        expect(answer.status, path).toBe(200);
        said.push({ name: path, text: `${await answer.text()}${JSON.stringify([...answer.headers])}` });
      }
      for (const path of ['metrics', 'healthz', 'readyz', '', 'nothing']) {
        const answer = await fetch(`${url}/${path}`, { headers: { authorization: `Bearer ${read}` } });
        said.push({ name: path, text: await answer.text() });
      }
      for (let n = 0; n < 8; n++) {
        const answer = await fetch(`${url}/api/status`, { headers: { authorization: `Bearer wrong-${n}` } });
        said.push({ name: 'refused', text: await answer.text() });
      }
      const link = oneDocument((await desk.tickwright('open', '--control', '--json')).stdout)[
        'url'
      ] as string;
      const opened = await fetch(link, { redirect: 'manual' });
      const cookie = /=([\w-]+);/.exec(opened.headers.get('set-cookie') ?? '')?.[1] ?? '';
      expect([opened.status, cookie.length]).toEqual([303, 43]);
      expect((await fetch(link, { redirect: 'manual' })).status).toBe(401);
      for (const name of ['read.token', 'control.token', 'daemon.json', 'control.sock'])
        expect([name, statSync(join(desk.state, name)).mode & 0o777]).toEqual([name, 0o600]);
      expect(socket).toBe(join(desk.state, 'control.sock'));
      const { stdout, stderr } = await desk.tickwright('stop', '--flat', '--json');
      said.push({ name: 'stop', text: `${stdout}${stderr}` });

      const files = (await artefactsIn(desk.state)).filter(({ name }) => !name.endsWith('.token'));
      expect(files.map(({ name }) => name).join('\n')).toMatch(/daemon\.log[^]*segment/);
      const code = new URL(link).searchParams.get('code') ?? '';
      expect(leaks([...files, ...said], [SECRET, read, control, code, cookie])).toEqual([]);
      expect(desk.log()).toMatch(/somebody guesses tokens/);
    }),
  ));

it('looks after what a killed one left though another program has its port by now, and opens it when it can', () =>
  withFolder(async (folder) => {
    const other = createServer();
    const listen = (port: number) =>
      new Promise<number>((done) => {
        other.listen(port, '127.0.0.1', () => done((other.address() as { port: number }).port));
      });
    const shut = () => new Promise((done) => other.close(done));
    const port = await listen(0);
    const more = `control: { http: "127.0.0.1:${port}", dashboard: true }`;
    await withDesk({ folder, more }, async (desk) => {
      try {
        // A first start is told at once.
        const first = await desk.tickwright('start', '--live', '--no-certificate');
        expect([first.code, first.stderr]).toEqual([
          78,
          expect.stringContaining(
            `control.http must be an address that is free, received 127.0.0.1:${port}, which another program has`,
          ),
        ]);
        await shut();
        const pid = await desk.start();
        await desk.quoting();
        process.kill(pid, 'SIGKILL');
        await desk.until('its end', () => !isAlive(pid));
        await desk.until('its last words', () => desk.door.isQuiet());
        const left = await desk.orders();
        await listen(port);

        await desk.start();
        await desk.until('new quotes', async () => {
          const now = await desk.orders();
          return now.length >= 2 && now.every((id) => !left.includes(id));
        });
        const words = `control.http is not open at 127.0.0.1:${port}, which another program has`;
        await desk.said('its problem', ({ problems }) =>
          expect(problems).toContainEqual(expect.stringContaining(words)),
        );
        const open = await desk.tickwright('open');
        expect([open.code, open.stderr]).toEqual([2, expect.stringContaining(words)]);

        await shut();
        await desk.said('nothing of it', ({ problems }) =>
          expect(problems.join()).not.toContain('control.http'),
        );
        expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
        expect((await desk.tickwright('open')).stdout).toContain(`http://127.0.0.1:${port}/open?code=`);
        expect((await desk.tickwright('stop')).code).toBe(0);
      } finally {
        other.close();
      }
    });
  }));
