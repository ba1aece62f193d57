import { received } from './received.js';

/** @throws RangeError unless `period` is a whole number from `least` to `most` */
export function checkPeriod(of: string, period: number, least = 1, most = Number.MAX_SAFE_INTEGER): void {
  if (Number.isInteger(period) && period >= least && period <= most) return;
  const bounds = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
  throw new RangeError(`the period of ${of} must be a whole number ${bounds}, received ${received(period)}`);
}
