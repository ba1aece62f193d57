import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { realTapePath, WITHOUT_TAPE } from '../support/shared-data.js';
import {
  KEYS,
  oneDocument,
  ROOT,
  run,
  runJson,
  type Running,
  start,
  startVenue,
  until,
  withFolder,
} from './program.js';

const TAPE_TRADES = 21_313;
const LAST_TRADE = 5_266_605_247;
const SMA = ['sma-cross', '--set', 'bars=1s'];
const OTHER = 'another-account';
const OTHER_KEYS = { TICKWRIGHT_VENUE__API_KEY: OTHER, TICKWRIGHT_VENUE__API_SECRET: OTHER };

describe.skipIf(realTapePath === undefined)(`the real tape over HTTP (skipped: ${WITHOUT_TAPE})`, () => {
  // 343 s of trading at this speed, and time to see the end.
  const SPEED = '20';
  const FOR = '20s';

  it('is seen whole by a live session, which wants what a backtest wants', () =>
    withFolder(async (cwd) => {
      await runJson(
        ['data', 'import', realTapePath as string, '--pair', 'USD_BTC_PERP', '--out', 'rec', '--json'],
        { cwd },
      );
      const certificate = await runJson(['data', 'check', 'rec', '--json'], { cwd });
      expect(certificate).toMatchObject({ trades: TAPE_TRADES, duplicates: 0, gaps: [] });
      const backtest = await runJson(['backtest', ...SMA, '--data', 'rec', '--json'], { cwd });
      const { url, running } = await startVenue(['--tape', join(cwd, 'rec'), '--speed', SPEED]);
      try {
        const options = ['--live', '--venue', url, '--for', FOR, '--json'];
        const live = await runJson(['run', ...SMA, ...options], { cwd, env: KEYS });
        expect(live).toMatchObject({
          trades: TAPE_TRADES,
          gaps: 0,
          missing: 0,
          parity: true,
          wantsHash: backtest['wantsHash'],
        });
        expect(live['fills']).toBeGreaterThan(0);
        // Whatever of the tape a strategy had seen by when: every second, or when this session did.
        for (const poll of ['1s', String(live['capture'])]) {
          const polled = await runJson(['backtest', ...SMA, '--data', 'rec', '--poll', poll, '--json'], {
            cwd,
          });
          expect(polled).toMatchObject({ trades: TAPE_TRADES, wantsHash: backtest['wantsHash'] });
        }
      } finally {
        running.child.kill();
      }
    }));

  it('has its missing trades counted where pages are too short for its milliseconds', () =>
    withFolder(async (cwd) => {
      const { url, running } = await startVenue([
        '--tape',
        realTapePath as string,
        '--speed',
        SPEED,
        '--max-limit',
        '100',
      ]);
      try {
        const { stdout, stderr } = await run(['run', ...SMA, '--venue', url, '--for', FOR, '--json'], {
          cwd,
        });
        const paper = oneDocument(stdout);
        // A session that starts late on a slow machine finds more of the tape behind it than its walk back may ask for in
        // such pages, and says so; from its first trade on nothing is lost unseen. Ids of the tape have no holes.
        const [first, last] = await tradesOf(join(cwd, String(paper['capture'])));
        const isCutShort = stderr.includes('a walk along the tape was cut short');
        if (!isCutShort) expect(Number(paper['trades']) + Number(paper['missing'])).toBe(TAPE_TRADES);
        expect(first).toBeGreaterThanOrEqual(LAST_TRADE - TAPE_TRADES + 1);
        expect(last).toBe(LAST_TRADE);
        expect(Number(paper['trades']) + Number(paper['missing'])).toBe(LAST_TRADE - first + 1);
        expect(paper['gaps']).toBeGreaterThan(0);
        expect(paper['parity']).toBe(true);
        const parity = await runJson(['parity', String(paper['capture']), '--json'], { cwd });
        expect(parity).toMatchObject({ identical: true, wantsHash: paper['wantsHash'] });
      } finally {
        running.child.kill();
      }
    }));
});

describe('a venue of its own', () => {
  let venue: Awaited<ReturnType<typeof startVenue>>;

  beforeAll(async () => {
    venue = await startVenue(['--synthetic', '7', '--account', `${OTHER}:${OTHER}`]);
  });

  afterAll(async () => {
    venue.running.child.kill('SIGTERM');
    expect((await venue.running.ended).code).toBe(143);
  });

  it('answers public reads without a key, as documents and as tables', async () => {
    const at = ['--venue', venue.url];
    const { markets } = await runJson(['markets', ...at, '--json']);
    expect(markets).toContainEqual(
      expect.objectContaining({
        pair: 'USD_BTC_PERP',
        price: expect.objectContaining({ step: '0.1' }),
        quantity: expect.objectContaining({ step: '0.001' }),
      }),
    );
    const { trades } = await runJson(['trades', ...at, '--limit', '3', '--json']);
    expect(trades).toHaveLength(3);
    expect(await runJson(['time', ...at, '--json'])).toMatchObject({
      schemaVersion: 1,
      time: expect.any(Number),
    });
    for (const command of ['markets', 'trades', 'time']) {
      const { code, stdout } = await run([command, ...at]);
      expect(code, command).toBe(0);
      expect(stdout, command).not.toContain('{');
    }
  });

  it('refuses private reads without the right key', async () => {
    const at = ['--venue', venue.url];
    expect((await run(['orders', ...at])).code).toBe(2);
    const wrong = { ...KEYS, TICKWRIGHT_VENUE__API_KEY: 'another-key' };
    const { code, stderr } = await run(['positions', ...at], { env: wrong });
    expect(code).toBe(77);
    expect(stderr).not.toContain(KEYS.TICKWRIGHT_VENUE__API_SECRET);
  });

  it('has no order of a live session left when that has ended', () =>
    withFolder(async (cwd) => {
      const at = ['--venue', venue.url, '--json'];
      const session = await tradingSession(cwd, venue.url);
      // Some of them are filled and quoted anew.
      await new Promise((resolve) => setTimeout(resolve, 3_000));
      session.child.kill('SIGINT');
      const { code, stdout, stderr } = await session.ended;
      expect(code, stderr).toBe(130);
      const live = oneDocument(stdout);
      expect(live).toMatchObject({ mode: 'live', gaps: 0, rejections: 0 });
      expect(live['orders']).toBeGreaterThan(0);
      // The ledger explains every cent of the balance.
      expect(live).not.toHaveProperty('suspense');
      expect(await runJson(['orders', ...at], { env: KEYS })).toMatchObject({ orders: [] });
      const all = (await runJson(['orders', '--state', 'all', ...at], { env: KEYS }))[
        'orders'
      ] as readonly object[];
      expect(all).toHaveLength(Number(live['orders']));
      const { positions } = await runJson(['positions', ...at], { env: KEYS });
      const quantity = (positions as readonly { quantity: string }[])[0]?.quantity ?? '0';
      expect(quantity).toBe(live['position']);
    }));

  it('has one bot at a time on a key, and on a journal', () =>
    withFolder(async (cwd) => {
      const args = [
        'run',
        'market-maker',
        '--live',
        '--journal',
        'bot',
        '--venue',
        venue.url,
        '--for',
        '300s',
      ];
      const first = start(args, { cwd, env: KEYS });
      await first.said('live: market-maker');
      const second = await run(args.with(4, 'another'), { cwd, env: KEYS });
      expect(second.code).toBe(75);
      expect(second.stderr).toContain(`a second one: process ${first.child.pid} trades with it already`);
      const third = await run(args, { cwd, env: OTHER_KEYS });
      expect(third.code).toBe(75);
      expect(third.stderr).toContain('must have one writer');
      const who = ['--journal', 'bot', '--by', 'anna', '--reason', 'a test', '--yes'];
      expect((await run(['resume', ...who], { cwd })).code).toBe(75);
      first.child.kill('SIGKILL');
      await first.ended;
      expect(await runJson(['resume', ...who, '--json'], { cwd })).toMatchObject({ resumed: false });
      // What was killed leaves its orders behind.
      const { code } = await run(['cancel', '--all', '--yes', '--venue', venue.url], { env: KEYS });
      expect(code).toBe(0);
      expect(await runJson(['orders', '--venue', venue.url, '--json'], { env: KEYS })).toMatchObject({
        orders: [],
      });
    }));

  it('knows nothing of a session on paper', () =>
    withFolder(async (cwd) => {
      const at = ['--venue', venue.url, '--json'];
      const before = await runJson(['orders', '--state', 'all', ...at], { env: KEYS });
      // Of an hour it would have to read much before its first quote.
      const recent = ['--warm-up', '1m'];
      const paper = await runJson(
        ['run', 'market-maker', ...recent, '--poll', '200ms', '--for', '8s', ...at],
        { cwd },
      );
      expect(paper).toMatchObject({ mode: 'paper', gaps: 0 });
      expect(paper['orders']).toBeGreaterThan(0);
      expect(await runJson(['orders', '--state', 'all', ...at], { env: KEYS })).toEqual(before);
    }));

  it('is recorded, and the recording is carried on by a second run', () =>
    withFolder(async (cwd) => {
      const args = ['record', 'USD_BTC_PERP', '--venue', venue.url, '--out', 'rec', '--for', '2s', '--json'];
      for (const round of [1, 2]) {
        const { pairs } = await runJson(args, { cwd });
        expect(pairs, `round ${round}`).toMatchObject([{ pair: 'USD_BTC_PERP', gaps: 0 }]);
      }
      const certificate = await runJson(['data', 'check', 'rec', '--json'], { cwd });
      expect(certificate).toMatchObject({ duplicates: 0, outOfOrder: 0, gaps: [], contiguousIds: true });
      expect(certificate['trades']).toBeGreaterThan(500);
    }));

  it('is recorded by one process at a time', () =>
    withFolder(async (cwd) => {
      const args = ['record', 'USD_BTC_PERP', '--venue', venue.url, '--out', 'rec'];
      const first = start([...args, '--for', '1m'], { cwd });
      await first.said('recording USD_BTC_PERP');
      const second = await run([...args, '--for', '1s'], { cwd });
      expect(second.stderr).toContain('rec/USD_BTC_PERP must have one writer, received another one');
      expect(second.code).toBe(75);
      first.child.kill('SIGKILL');
      await first.ended;
      expect((await run([...args, '--for', '1s'], { cwd })).code).toBe(0);
      expect(await runJson(['data', 'check', 'rec', '--json'], { cwd })).toMatchObject({ duplicates: 0 });
    }));
});

describe('a venue that stands still while a session stops', () => {
  it('leaves the stop unproven, and the orders are named', () =>
    withFolder(async (cwd) => {
      const { url, running } = await startVenue(['--synthetic', '7']);
      try {
        const session = await tradingSession(cwd, url);
        running.child.kill('SIGSTOP');
        session.child.kill('SIGINT');
        const { code, stdout, stderr } = await session.ended;
        expect(code).toBe(5);
        expect(stderr).toContain('orders that may still be at the venue');
        expect(oneDocument(stdout)).toMatchObject({ mode: 'live' });
      } finally {
        running.child.kill('SIGKILL');
      }
    }));

  it('is not waited for after a second Ctrl-C', () =>
    withFolder(async (cwd) => {
      const { url, running } = await startVenue(['--synthetic', '7']);
      try {
        const session = await tradingSession(cwd, url);
        running.child.kill('SIGSTOP');
        session.child.kill('SIGINT');
        await session.said('stopping');
        session.child.kill('SIGINT');
        const { code, stdout, stderr } = await session.ended;
        expect(code).toBe(130);
        expect(stdout).toBe('');
        expect(stderr).toMatch(/stopped at once: orders that may still be at the venue: \S+/);
      } finally {
        running.child.kill('SIGKILL');
      }
    }));
});

it('the history that a strategy sees first is as long as its configuration says', () =>
  withFolder(async (cwd) => {
    const { url, running } = await startVenue(['--synthetic', '7']);
    try {
      const seen = [];
      for (const warmUp of ['0ms', '5m']) {
        const strategy = `{ file: ${join(ROOT, 'strategies', 'sma-cross.ts')}, pair: USD_BTC_PERP, warmUp: ${warmUp} }`;
        await writeFile(join(cwd, 'bot.yaml'), `version: 1\nstrategies: [${strategy}]\n`);
        const result = await runJson(
          ['run', '--config', 'bot.yaml', '--venue', url, '--for', '1s', '--json'],
          { cwd },
        );
        seen.push(Number(result['trades']));
      }
      const [none = 0, minutes = 0] = seen;
      // Some five a second.
      expect(minutes).toBeGreaterThan(none + 500);
      expect(none).toBeLessThan(200);
    } finally {
      running.child.kill();
    }
  }));

/** Ids of the first and the last trade of a capture. */
async function tradesOf(capture: string): Promise<readonly [number, number]> {
  const ids = [...(await readFile(capture, 'utf8')).matchAll(/"kind":"trade","trade":\{"id":"(\d+)"/g)];
  return [Number(ids[0]?.[1]), Number(ids.at(-1)?.[1])];
}

/** A live session that has an order at the venue. */
async function tradingSession(cwd: string, url: string): Promise<Running> {
  const at = ['--venue', url, '--json'];
  const session = start(['run', 'market-maker', '--live', '--poll', '200ms', ...at], { cwd, env: KEYS });
  await until('an order', async () => {
    const { orders } = await runJson(['orders', ...at], { env: KEYS });
    return (orders as readonly unknown[]).length > 0;
  });
  return session;
}
