import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import marketMaker from '../../strategies/market-maker.js';
import { oneDocument, run, runJson, type Running, start, until, withFolder } from './program.js';

const DEMO_KEYS = [
  'mode',
  'pair',
  'strategy',
  'seconds',
  'polls',
  'trades',
  'gaps',
  'orders',
  'fills',
  'refusals',
  'position',
  'pnl',
  'wantsHash',
  'decisionHash',
  'parity',
];

/** By its link, as the first who opens it. */
async function enter(demo: Running) {
  await demo.said('Ctrl-C ends it');
  const link = /http:\/\/127\.0\.0\.1:\d+\/open\?code=[\w-]+/.exec(demo.words())?.[0] ?? '';
  const opened = await fetch(link, { redirect: 'manual' });
  expect(opened.status).toBe(303);
  const cookie = opened.headers.get('set-cookie')?.split(';')[0] ?? '';
  return { link, origin: new URL(link).origin, cookie };
}

it('the demo trades, and a second process comes to the same decisions until one input is changed', () =>
  withFolder(async (cwd) => {
    const demo = start(['demo', '--json'], { cwd });
    let stdout = '';
    try {
      const { origin, cookie } = await enter(demo);
      await until('a fill', async () => {
        const fills: unknown = await (
          await fetch(`${origin}/api/recent?kind=fill`, { headers: { cookie } })
        ).json();
        return Array.isArray(fills) && fills.length > 0;
      });
    } finally {
      demo.child.kill('SIGINT');
      ({ stdout } = await demo.ended);
    }
    const result = oneDocument(stdout);
    expect(Object.keys(result)).toEqual(expect.arrayContaining(DEMO_KEYS));
    expect(result).toMatchObject({
      schemaVersion: 1,
      mode: 'live',
      pair: 'USD_BTC_PERP',
      strategy: 'market-maker',
      gaps: 0,
      parity: true,
    });
    for (const name of ['polls', 'trades', 'orders', 'fills']) expect(result[name], name).toBeGreaterThan(0);
    for (const name of ['position', 'pnl']) expect(result[name], name).toMatch(/^-?\d+(\.\d+)?$/);

    const capture = join(cwd, String(result['capture']));
    const again = await runJson(['parity', capture, '--json'], { cwd });
    expect(again).toMatchObject({ identical: true, decisionHash: result['decisionHash'] });

    const lines = (await readFile(capture, 'utf8')).split('\n');
    const at = lines.findIndex((line, index) => index > 300 && line.includes('"kind":"trade"'));
    const line = lines[at] as string;
    const { input } = JSON.parse(line) as { input: number };
    lines[at] = line.replace(/"price":\d+/, '"price":1');
    const changed = join(cwd, 'changed.ndjson');
    await writeFile(changed, lines.join('\n'));
    const verdict = await run(['parity', changed, '--json'], { cwd });
    expect(verdict.code).toBe(3);
    expect(oneDocument(verdict.stdout)).toMatchObject({
      identical: false,
      firstDifference: { input, kind: 'input', where: `${changed}:${at + 1}`, recorded: { kind: 'trade' } },
    });
  }));

it('the demo ends in order at Ctrl-C, with its result and the code of the signal', () =>
  withFolder(async (cwd) => {
    const demo = start(['demo', '--json', '--no-dashboard'], { cwd });
    await demo.said('Ctrl-C ends it');
    demo.child.kill('SIGINT');
    const { code, stdout } = await demo.ended;
    expect(code).toBe(130);
    expect(oneDocument(stdout)).toMatchObject({ mode: 'live', gaps: 0, parity: true });
  }));

it('the demo explains itself to a person', () =>
  withFolder(async (cwd) => {
    const { code, stdout } = await run(['demo', '--for', '2s'], { cwd });
    expect(code).toBe(0);
    // And longer than it was asked to where it has to wait for its turn to end.
    const [, seconds] = /market-maker traded USD_BTC_PERP for (\d+) s/.exec(stdout) ?? [];
    expect(Number(seconds)).toBeGreaterThanOrEqual(2);
    expect(stdout).toContain('a second process computed the same decisions');
    const proposals = [...stdout.matchAll(/npx tickwright (\w+) (\S+)/g)].map(([, command, first]) => [
      command,
      first,
    ]);
    expect(proposals.slice(0, 3)).toEqual([
      ['help', 'market-maker'],
      ['backtest', 'sma-cross'],
      // Run in a folder that is no project yet.
      ['init', 'my-bot'],
    ]);
    expect(proposals[3]?.[0]).toBe('parity');
    const [, param] = /change one with --set (\w+)=/.exec(stdout) ?? [];
    expect(Object.keys(marketMaker.params)).toContain(param);
  }));

it('the demo shows a dashboard to whoever opens its link first, and lets nobody control it', () =>
  withFolder(async (cwd) => {
    const demo = start(['demo', '--json'], { cwd });
    let origin = '';
    try {
      const entered = await enter(demo);
      const { link, cookie } = entered;
      ({ origin } = entered);
      expect((await fetch(link, { redirect: 'manual' })).status).toBe(401);
      // Its first word comes within a second.
      const status = async () => (await fetch(`${origin}/api/status`, { headers: { cookie } })).json();
      await expect.poll(status).toMatchObject({ mode: 'live', pairs: [{ pair: 'USD_BTC_PERP' }] });
      expect((await fetch(`${origin}/api/status`)).status).toBe(401);
      const pause = await fetch(`${origin}/api/pause`, {
        method: 'POST',
        headers: { cookie, origin },
        body: '{}',
      });
      expect(pause.status).toBeGreaterThanOrEqual(401);
    } finally {
      demo.child.kill('SIGINT');
    }
    const { code, stdout } = await demo.ended;
    expect(code).toBe(130);
    expect(oneDocument(stdout)).toMatchObject({ parity: true });
    await expect(fetch(origin)).rejects.toThrow();
  }));

it('a strategy that throws as it is made ends the demo', () =>
  withFolder(async (cwd) => {
    await writeFile(
      join(cwd, 'throws.ts'),
      `import { defineStrategy } from 'tickwright';
export default defineStrategy({
  name: 'throws',
  create: () => {
    throw { code: 5 };
  },
});
`,
    );
    const { code, stderr } = await run(['demo', '--strategy', 'throws.ts', '--no-dashboard'], { cwd });
    expect(stderr).toContain('error: throws.ts: {"code":5} (throw an Error, and its line is told)');
    expect(code).toBe(1);
  }));
