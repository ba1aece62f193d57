import { describe, expect, it } from 'vitest';
import { statusText } from '../../../src/cli/view/status-text.js';
import type { DaemonStatus, PairStatus } from '../../../src/daemon/daemon-api.js';

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

  it('shows the orders that the venue has, else those that work on paper', () => {
    const [buy, sell] = [
      { side: 'buy', quantity: '0.01', price: '100.5', state: 'working', orderId: '1' },
      { side: 'sell', quantity: '0.02', price: undefined, state: 'pending-new', orderId: undefined },
    ] as const;
    expect(linesOf({})).toContain('  orders    none at the venue');
    expect(linesOf({ pairs: [{ ...PAIR, working: [buy, sell] }] })).toContain(
      '  orders    buy 0.01 @ 100.5 (working), sell 0.02 at market (pending-new)',
    );
    const stop = {
      side: 'sell',
      quantity: '0.01',
      price: undefined,
      triggerPrice: '95.5',
      state: 'working',
      orderId: '3',
    } as const;
    expect(linesOf({ pairs: [{ ...PAIR, working: [stop] }] })).toContain(
      '  orders    sell 0.01 stop 95.5 (working)',
    );
    expect(linesOf({ pairs: [{ ...PAIR, orders: ['buy 0.01 @ 100.5'], working: [buy] }] })).toContain(
      '  orders    buy 0.01 @ 100.5',
    );
  });

  it('names a stop that an earlier session left, and that no order of this one stands for', () => {
    const left = { orderId: '17', side: 'sell', quantity: '0.02', triggerPrice: '95.5' } as const;
    expect(linesOf({}).filter((line) => line.startsWith('  stop'))).toEqual([]);
    expect(linesOf({ pairs: [{ ...PAIR, orders: ['17'], leftStops: [left] }] })).toContain(
      '  stop      sell 0.02 at 95.5 (17), left by an earlier session',
    );
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
