import { describe, expect, it } from 'vitest';
import { statusText } from '../../../src/cli/view/status-text.js';
import type { DaemonStatus, PairStatus, WorkingOrderStatus } from '../../../src/daemon/daemon-api.js';

const PAIR: PairStatus = {
  pair: 'USD_BTC_PERP',
  strategy: 'throws',
  state: 'SYNCED',
  permission: 'all',
  reason: 'on paper',
  running: true,
  failure: undefined,
  position: '0',
  averageEntry: undefined,
  lastPrice: '100.5',
  markPrice: undefined,
  orders: [],
  working: [],
  wanted: 'nothing yet',
  doubt: 0,
  pollAgeMs: 6_083,
  gaps: 0,
  params: {},
  limits: [],
  counts: { orders: 0, cancels: 0, fills: 0, refusals: 0, rejections: 0 },
  wantsHash: '',
  decisionHash: '',
};
const STATUS: DaemonStatus = {
  schemaVersion: 1,
  state: 'running',
  mode: 'paper',
  pid: 7,
  version: '0',
  venue: 'http://127.0.0.1:1',
  uptimeMs: 1_000,
  pairs: [PAIR],
  pnl: {},
  budget: { perSecond: 5 },
  clock: undefined,
  halted: undefined,
  suspense: [],
  memory: { rssBytes: 0, heapBytes: 0, ceilingBytes: 0 },
  loopLag: { p99Ms: 0, maxMs: 0 },
  problems: [],
};

function linesOf(change: Partial<DaemonStatus>): readonly string[] {
  return statusText({ ...STATUS, ...change }).split('\n');
}

describe('the status on a screen', () => {
  it('shows where a pair that runs stands, and how old its data are', () => {
    const lines = linesOf({});
    expect(lines).toContain('USD_BTC_PERP · throws · SYNCED: on paper');
    expect(lines).toContain('  data      6083 ms old');
    expect(lines).toContain('  requests  5 a second allowed');
  });

  it('shows what is held, and beside it what P&L counts where that is not the same', () => {
    const lines = linesOf({ pairs: [{ ...PAIR, position: '0.03', ownPosition: '0.02' }] });
    expect(lines).toContain('  position  0.03 (P&L counts 0.02), price 100.5');
  });

  it('shows how much memory there may be, where that is bounded', () => {
    const [rssBytes, heapBytes] = [100 * 1_048_576, 1];
    const bounded = linesOf({ memory: { rssBytes, heapBytes, ceilingBytes: 512 * 1_048_576 } });
    expect(bounded.at(-1)).toContain('memory    100 of 512 MiB;');
    expect(linesOf({ memory: { rssBytes, heapBytes } }).at(-1)).toContain('memory    100 MiB;');
  });

  it('shows a failed strategy as stopped, and nothing of it as if it ran', () => {
    const failed = { ...PAIR, running: false, failure: 'boom', wanted: 'nothing: it is stopped' };
    const lines = linesOf({ pairs: [failed], budget: { perSecond: 0 } });
    expect(lines).toContain('USD_BTC_PERP · throws · STOPPED');
    expect(lines).toContain('  wanted    nothing: it is stopped');
    expect(lines).toContain('  data      none are read: it is stopped');
    expect(lines).toContain('  requests  none: no strategy runs');
  });

  const order = (given: Partial<WorkingOrderStatus>): WorkingOrderStatus => ({
    side: 'buy',
    quantity: '0.01',
    price: '100.5',
    state: 'working',
    orderId: undefined,
    ...given,
  });
  const stopAt = (triggerPrice: string, given: Partial<WorkingOrderStatus> = {}) =>
    order({ side: 'sell', quantity: '0.02', price: undefined, triggerPrice, orderId: '3', ...given });
  /** The lines of a label, without it. */
  function under(label: string, change: Partial<PairStatus>): readonly string[] {
    const lines = linesOf({ pairs: [{ ...PAIR, ...change }] });
    const first = lines.findIndex((line) => line.startsWith(`  ${label} `));
    if (first < 0) return [];
    const next = lines.findIndex((line, index) => index > first && !line.startsWith('            '));
    return lines.slice(first, next).map((line) => line.slice(12));
  }

  it('shows each order as the strategy sees it, and of others at the venue what is known', () => {
    expect(under('orders', {})).toEqual(['none at the venue']);
    const sell = order({ side: 'sell', price: undefined, state: 'pending-new' });
    expect(under('orders', { working: [order({}), sell] })).toEqual([
      'buy 0.01 @ 100.5 (working)',
      'sell 0.01 at market (pending-new)',
    ]);
    const known = [order({ orderId: '7' }), order({ orderId: '8', state: 'pending-cancel' })];
    expect(under('orders', { orders: ['7', '8', '9', '10'], working: known })).toEqual([
      'buy 0.01 @ 100.5 (7)',
      'buy 0.01 @ 100.5 (8, pending-cancel)',
      'also at the venue: 9, 10',
    ]);
    expect(under('orders', { orders: ['9', '10'] })).toEqual(['9, 10']);
  });

  it('names an order whose id is not known once', () => {
    const intent = 'intent 7 (in-doubt, its id is not known)';
    const working = [order({ state: 'in-doubt' })];
    expect(under('orders', { orders: [intent], working })).toEqual(['buy 0.01 @ 100.5 (in-doubt)']);
    expect(under('orders', { orders: [intent] })).toEqual([intent]);
  });

  it('shows five orders, and how many more there are', () => {
    const ids = ['1', '2', '3', '4', '5', '6', '7'];
    const working = ids.map((orderId) => order({ orderId }));
    expect(under('orders', { orders: ids.slice(0, 5), working: working.slice(0, 5) })).toHaveLength(5);
    const lines = under('orders', { orders: ids, working });
    expect(lines).toHaveLength(6);
    expect(lines.slice(4)).toEqual(['buy 0.01 @ 100.5 (5)', 'and 2 more']);
    expect(under('orders', { orders: ids })).toEqual(['1, 2, 3, 4, 5 and 2 more']);
  });

  it('shows a stop as such, and that it covers the whole position', () => {
    const held = { position: '0.02', orders: ['3'], working: [stopAt('95.5')] };
    expect(under('stop', held)).toEqual(['sell 0.02 at 95.5 (3); the whole position is covered']);
    expect(under('orders', held)).toEqual(['none besides the stop']);
    const moved = [stopAt('95.5', { state: 'pending-cancel' }), stopAt('96', { orderId: '4' })];
    expect(under('stop', { ...held, orders: ['3', '4'], working: moved })).toEqual([
      'sell 0.02 at 95.5 (3, pending-cancel)',
      'sell 0.02 at 96 (4); the whole position is covered',
    ]);
    expect(under('stop', { ...held, position: '0' })).toEqual(['sell 0.02 at 95.5 (3)']);
  });

  it('says for how long a position has been without a stop that covers it', () => {
    const bare = { position: '0.03', bareMs: 12_000 };
    expect(under('stop', bare)).toEqual(['none at the venue; the position has been bare for 12s']);
    expect(under('stop', { ...bare, orders: ['3'], working: [stopAt('95.5')] })).toEqual([
      'sell 0.02 at 95.5 (3); the position has not been covered whole for 12s',
    ]);
    const coming = stopAt('95.5', { state: 'pending-new', orderId: undefined });
    expect(under('stop', { ...bare, bareMs: 300, working: [coming] })).toEqual([
      'sell 0.02 at 95.5 (pending-new); the position has not been covered whole for 300ms',
    ]);
  });

  it('names a stop that an earlier session left, and that no order of this one stands for', () => {
    const left = { orderId: '17', side: 'sell', quantity: '0.02', triggerPrice: '95.5' } as const;
    expect(under('stop', {})).toEqual([]);
    const kept = { position: '0.02', orders: ['17'], leftStops: [left] };
    expect(under('stop', kept)).toEqual(['sell 0.02 at 95.5 (17), left by an earlier session']);
    expect(under('orders', kept)).toEqual(['none besides the stop']);
    expect(under('stop', { ...kept, bareMs: 12_000 })).toEqual([
      'sell 0.02 at 95.5 (17), left by an earlier session; this session has had none of its own for 12s',
    ]);
    expect(under('stop', { ...kept, source: 'journal' })).toEqual([
      'sell 0.02 at 95.5 (17), left by an earlier session (by its journal)',
    ]);
  });

  it('shows limits on times as times', () => {
    const limits = [
      { rule: 'max-bare-time', used: '1500', bound: '60000' },
      { rule: 'same-side-repeat', used: '0', bound: '250' },
      { rule: 'max-orders-per-minute', used: '3', bound: '600' },
    ] as const;
    const lines = linesOf({ pairs: [{ ...PAIR, limits }] });
    expect(lines).toContain('  limit     max-bare-time 1s of 1m');
    expect(lines).toContain('  limit     same-side-repeat 0s of 250ms');
    expect(lines).toContain('  limit     max-orders-per-minute 3 of 600');
  });

  it('says what the journal has as such, and what is not known as not known', () => {
    const waits = { ...PAIR, state: 'BOOT', reason: 'cannot start: no answer', running: false } as const;
    const nothing = { position: undefined, orders: undefined, doubt: undefined };
    const unknown = linesOf({ pairs: [{ ...waits, ...nothing }] });
    expect(unknown).toContain('  position  not known yet, price 100.5');
    expect(unknown).toContain('  orders    not known yet');
    expect(unknown).toContain('  in doubt  not known yet');
    const said = { source: 'journal', position: undefined, positionLots: 14, doubt: 1 } as const;
    const known = linesOf({ pairs: [{ ...waits, ...said, orders: ['7', '8'] }] });
    expect(known).toContain('  position  14 lots (by its journal), price 100.5');
    expect(known).toContain('  orders    7, 8 (by its journal)');
    expect(known).toContain('  in doubt  1 (by its journal)');
    expect(linesOf({ pairs: [{ ...waits, ...said, orders: [] }] })).toContain(
      '  orders    none by its journal',
    );
  });

  it("says which way the venue's clock is off", () => {
    expect(linesOf({ clock: { offsetMs: -2_183, uncertaintyMs: 3 } })).toContain(
      "  clock     the venue's clock is -2183 ms from ours, ± 3 ms",
    );
  });

  it('shows no text from outside that moves the cursor or hides what follows', () => {
    const said = { ...PAIR, reason: 'a\u001b[2Jb', wanted: 'c\u202ed' };
    const text = statusText({ ...STATUS, pairs: [said], problems: ['e\u0007f\ng\u001b]0;h'] });
    expect(text).not.toMatch(/[^\P{C}\n]/u);
    for (const seen of ['a\uFFFD[2Jb', 'c\uFFFDd', 'e\uFFFDf', 'g\uFFFD]0;h']) expect(text).toContain(seen);
  });

  it('keeps each line of a problem and of a reason below the one it belongs to', () => {
    const waits = { ...PAIR, running: false, reason: 'cannot start: bad\n> 4 | x' };
    const lines = linesOf({ pairs: [waits], problems: ['it is stopped: boom\n> 4 | throw\n    |   ^'] });
    expect(lines.slice(1, 4)).toEqual(['  ! it is stopped: boom', '    > 4 | throw', '        |   ^']);
    expect(lines).toContain('    > 4 | x');
  });
});
