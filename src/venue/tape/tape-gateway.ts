import type { ExecutionReport } from '../../model/report.js';
import type { OrderGateway } from '../../ports/order-gateway.js';
import type { TapeVenue } from './tape-venue.js';

/** What reports go through: an RxJS Subject. */
export type ReportSubject = OrderGateway['reports$'] & { next(report: ExecutionReport): void };

export interface TapeGateway extends OrderGateway {
  /** Sends out what the venue has reported since the last call: after `print` said so, before the print is handled. */
  deliver(): void;
}

/** The in-process venue as a session sees any other; `now` is the time of the event that is being handled, ms. */
export function tapeGateway(venue: TapeVenue, now: () => number, reports$: ReportSubject): TapeGateway {
  return {
    reports$,
    send(command) {
      venue.submit(command, now());
    },
    deliver() {
      const { reports } = venue;
      for (const report of reports) reports$.next(report);
      while (reports.length > 0) reports.pop();
    },
  };
}
