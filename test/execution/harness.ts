import type { Approved, CancelCommand, PlaceCommand } from '../../src/model/command.js';
import type { ExecutionOptions } from '../../src/execution/execution-options.js';
import { Execution } from '../../src/execution/execution.js';
import type { Lots, Ticks } from '../../src/model/grid.js';
import type { OrderTerms } from '../../src/model/order.js';
import type { ExecutionReport } from '../../src/model/report.js';
import type { Clock } from '../../src/ports/clock.js';
import { SILENT } from '../../src/ports/log.js';
import { FakeVenueApi } from '../support/fake-venue-api.js';
import { BTC } from '../support/markets.js';
import { VirtualTime } from '../support/virtual-time.js';

export const SESSION = 's1';

export function placeOf(
  intentId: number,
  terms: Partial<OrderTerms> = {},
  pair = BTC.pair,
): Approved<PlaceCommand> {
  const command: PlaceCommand = {
    kind: 'place',
    intentId,
    pair,
    want: undefined,
    terms: {
      side: 'buy',
      type: 'limit',
      ticks: 600_000 as Ticks,
      lots: 10 as Lots,
      timeInForce: 'GTC',
      postOnly: false,
      reduceOnly: false,
      ...terms,
    },
  };
  // The gate is not under test.
  return command as Approved<PlaceCommand>;
}

export function cancelOf(intentId: number, orderId: string): Approved<CancelCommand> {
  const command: CancelCommand = { kind: 'cancel', intentId, pair: BTC.pair, orderId, want: undefined };
  return command as Approved<CancelCommand>;
}

/** An execution in agreement with a fake venue, on virtual time; its reports as they come and as words. */
export async function harness(
  more: Partial<ExecutionOptions> = {},
  clockOf: (clock: Clock) => Clock = (clock) => clock,
) {
  const time = new VirtualTime();
  const venue = new FakeVenueApi(time, BTC);
  const errors: string[] = [];
  const execution = new Execution({
    api: venue,
    market: BTC,
    timers: time.timers,
    clock: clockOf(time.clock),
    log: { ...SILENT, error: (message) => errors.push(message) },
    session: SESSION,
    echo: 'oco',
    visibilityMs: 0,
    lateMs: 6_000,
    staleMs: 20_000,
    lists: ['active', 'all'],
    listLimit: 100,
    watchEveryMs: 1_000,
    ...more,
  });
  const reports: ExecutionReport[] = [];
  execution.reports$.subscribe((report) => reports.push(report));
  execution.start();
  await time.until(execution.settled());
  venue.calls.splice(0);
  return {
    time,
    venue,
    execution,
    reports,
    errors,
    /** Takes what was reported since the last call. */
    story: () => reports.splice(0).map(word).join(', '),
    count: (kind: string) => venue.calls.filter((call) => call.kind === kind).length,
  };
}

function word(report: ExecutionReport): string {
  const { intentId: id } = report;
  switch (report.kind) {
    case 'filled':
    case 'late-fill':
      return `${id} ${report.kind} ${report.fill.lots}@${report.fill.ticks}`;
    case 'accepted':
      return `${id} accepted`;
    case 'rejected':
    case 'canceled':
    case 'cancel-rejected':
      return `${id} ${report.kind} (${report.reason})`;
    case 'in-doubt':
      return `${id} in doubt`;
  }
}
