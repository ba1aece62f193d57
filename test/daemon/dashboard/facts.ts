/** What a daemon might say, for tests of the page: three pairs in different states, with everything that can be shown. */
import type { CandleRow, DaemonEvent, DaemonStatus, PairStatus } from '../../../src/daemon/daemon-api.js';

const BOOT = Date.UTC(2026, 4, 20, 6, 0, 0);
const MINUTE_MS = 60_000;
export const NOW = BOOT + 8 * 3_600_000 + 7_000;

/** Numbers that look like chance and are the same each time (a linear congruential generator). */
export function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (1_664_525 * state + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

export function pairFacts(pair: string, given: Partial<PairStatus> = {}): PairStatus {
  return {
    pair,
    strategy: 'market-maker',
    state: 'SYNCED',
    permission: 'all',
    reason: 'own books and the venue’s agree at the newest cut',
    running: true,
    failure: undefined,
    position: '0.125',
    averageEntry: '67012.4',
    lastPrice: '67105.1',
    markPrice: '67101.8',
    orders: ['8412003', '8412004'],
    working: [
      { side: 'buy', quantity: '0.025', price: '67098.0', state: 'working', orderId: '8412003' },
      { side: 'sell', quantity: '0.010', price: '67112.5', state: 'pending-cancel', orderId: '8412004' },
    ],
    wanted: 'buy 0.025 @ 67098.0   sell 0.025 @ 67112.5',
    doubt: 0,
    pollAgeMs: 180,
    gaps: 0,
    params: { quantity: '0.025', spread: '4', skew: '0.2', requoteTicks: '5' },
    limits: [
      { rule: 'max-position', used: '0.15', bound: '0.5' },
      { rule: 'max-order-quantity', used: '0.025', bound: '0.2' },
      { rule: 'max-open-orders', used: '2', bound: '20' },
      { rule: 'max-orders-per-minute', used: '462', bound: '600' },
      { rule: 'max-gross-notional', used: '10065.27', bound: '50000' },
      { rule: 'max-daily-loss', used: '1843.10', bound: '2000' },
      { rule: 'price-collar', used: '0.00005', bound: '0.02' },
    ],
    counts: { orders: 18_412, cancels: 17_903, fills: 322, refusals: 3, rejections: 0 },
    wantsHash: 'a1',
    decisionHash: 'b2',
    ...given,
  };
}

export function statusFacts(given: Partial<DaemonStatus> = {}): DaemonStatus {
  return {
    schemaVersion: 1,
    state: 'running',
    mode: 'paper',
    pid: 4_242,
    version: '0.1.0',
    venue: 'https://api.venue.example',
    uptimeMs: 8 * 3_600_000 + 7_000,
    pairs: [
      pairFacts('USD_BTC_PERP'),
      pairFacts('USD_ETH_PERP', {
        strategy: 'sma-cross',
        state: 'SUSPECT',
        permission: 'reduce-only',
        reason: 'an order is in doubt: placed at 13:59:41, nobody answered',
        position: '-2.5',
        averageEntry: '3512.40',
        lastPrice: '3508.95',
        markPrice: '3509.10',
        orders: ['8411990', 'intent 771 (in-doubt, its id is not known)'],
        working: [{ side: 'sell', quantity: '0.5', price: undefined, state: 'in-doubt', orderId: undefined }],
        wanted: 'position -2.5 ETH',
        doubt: 1,
        pollAgeMs: 4_200,
        gaps: 2,
        counts: { orders: 44, cancels: 3, fills: 41, refusals: 12, rejections: 1 },
      }),
    ],
    pnl: { USD: { today: '-1843.1042', session: '12480.77' } },
    budget: { perSecond: 9.5 },
    clock: { offsetMs: -37, uncertaintyMs: 12 },
    halted: undefined,
    suspense: [],
    memory: { rssBytes: 161_000_000, heapBytes: 61_000_000, ceilingBytes: 536_870_912 },
    loopLag: { p99Ms: 1.4, maxMs: 12.9 },
    problems: ['USD_ETH_PERP is SUSPECT: an order is in doubt', 'USD_ETH_PERP: 1 orders in doubt'],
    ...given,
  };
}

export function candleFacts(minutes: number, price = 67_000, seed = 7): readonly CandleRow[] {
  const roll = dice(seed);
  const first = Math.floor(NOW / MINUTE_MS) * MINUTE_MS - (minutes - 1) * MINUTE_MS;
  const rows: CandleRow[] = [];
  let close = price;
  for (let i = 0; i < minutes; i++) {
    const open = close;
    close = Math.round(10 * (open + (roll() - 0.495) * price * 0.0006)) / 10;
    rows.push({
      time: first + i * MINUTE_MS,
      open,
      close,
      high: Math.round(10 * (Math.max(open, close) + roll() * price * 0.0002)) / 10,
      low: Math.round(10 * (Math.min(open, close) - roll() * price * 0.0002)) / 10,
      volume: Math.round(1_000 * roll() * 12) / 1_000,
    });
  }
  return rows;
}

export function recentFacts(kind: string): readonly DaemonEvent[] {
  const roll = dice(11);
  switch (kind) {
    case 'fill':
      return candleFacts(480)
        .filter((_, index) => index % 9 === 4)
        .map(({ time, open, close }, index) => ({
          kind: 'fill' as const,
          time: time + 1_000 * Math.floor(60 * roll()),
          pair: 'USD_BTC_PERP',
          side: index % 2 === 0 ? ('buy' as const) : ('sell' as const),
          price: String(Math.round(5 * (open + close)) / 10),
          quantity: '0.025',
          fee: '-0.3355',
        }));
    case 'equity':
      return Array.from({ length: 2_880 }, (_, index) => ({
        kind: 'equity' as const,
        time: BOOT + 10_000 * (index + 1),
        asset: 'USD',
        equity: (5 * index + 900 * Math.sin(index / 160) + 400 * Math.sin(index / 37)).toFixed(2),
      }));
    case 'refusal':
      return Array.from({ length: 12 }, (_, index) => ({
        kind: 'refusal' as const,
        time: NOW - 60_000 * (12 - index),
        pair: 'USD_ETH_PERP',
        rule: 'max-position',
        reason: 'the worst position 3.0 must be at most 2.5',
      }));
    case 'log':
      return [
        { kind: 'log', time: BOOT, level: 'info', text: 'ready mode=paper pairs=USD_BTC_PERP,USD_ETH_PERP' },
        { kind: 'log', time: NOW - 90_000, level: 'warn', text: 'USD_ETH_PERP: no answer within 2 s' },
        { kind: 'log', time: NOW - 80_000, level: 'error', text: 'USD_ETH_PERP: an order is in doubt' },
      ];
    case 'change':
      return HAPPENINGS;
    default:
      return [];
  }
}

export const HAPPENINGS: readonly DaemonEvent[] = [
  {
    kind: 'pair-state',
    time: NOW - 80_000,
    pair: 'USD_ETH_PERP',
    state: 'SUSPECT',
    permission: 'reduce-only',
    reason: 'in doubt',
  },
  { kind: 'venue', time: NOW - 40_000, reachable: false, reason: 'no poll was answered for 30 s' },
  { kind: 'venue', time: NOW - 20_000, reachable: true, reason: 'polls are answered again' },
];

export const RUNS: readonly object[] = [
  {
    runId: '7f3a91c2d0e4',
    strategy: 'market-maker',
    pair: 'USD_BTC_PERP',
    from: Date.UTC(2026, 3, 1),
    to: Date.UTC(2026, 4, 1),
    pnl: { through: '-120.40', queue: '312.55', touch: '1890.02' },
    quote: 'USD',
    verdict: 'undecided',
    sharpe: '1.27',
    maxDrawdown: '-0.0183',
    roundTrips: 1_204,
  },
  {
    runId: '1b77d2aa9c01',
    strategy: 'sma-cross',
    pair: 'USD_ETH_PERP',
    from: Date.UTC(2026, 2, 1),
    to: Date.UTC(2026, 4, 1),
    pnl: { through: '-2240.11', queue: '-2198.70', touch: '-2190.00' },
    quote: 'USD',
    verdict: 'loss',
    sharpe: '-0.84',
    maxDrawdown: '-0.2214',
    roundTrips: 88,
  },
  {
    runId: 'e90c11fb7705',
    strategy: 'donchian',
    pair: 'USD_BTC_PERP',
    from: Date.UTC(2026, 2, 1),
    to: Date.UTC(2026, 2, 20),
    pnl: { through: '540.00', queue: '541.20', touch: '541.20' },
    quote: 'USD',
    verdict: 'profit',
    sharpe: null,
    maxDrawdown: '-0.0402',
    roundTrips: 17,
  },
];
