import { Refused } from './envelope.js';
import { malformed, text, whole } from './fields.js';
import type { Form } from './form.js';

const DEFAULT_WINDOW_MS = 5_000;
/** How far ahead of the venue's clock a timestamp may be. */
const FUTURE_MS = 1_000;

/**
 * Checks the age of a request with a body (`dialect.md` §1). `timestamp` (ms, possibly with a fraction) is optional;
 * the request is refused if it is older than `recv_window`, or more than a second in the future. `common`: where to
 * look for `recv_window` if `fields` is one order of a bulk and has none.
 */
export function refuseStale(fields: Form, now: number, common?: Form): Refused | undefined {
  const stamp = text(fields, 'timestamp');
  if (stamp instanceof Refused) return stamp;
  const window = windowOf(fields) ?? (common === undefined ? undefined : windowOf(common));
  if (window instanceof Refused) return window;
  if (stamp === undefined) return undefined;
  if (!/^\d{1,15}(\.\d{1,15})?$/.test(stamp)) return malformed('timestamp', 'milliseconds since 1970', stamp);
  const age = now - Number(stamp);
  return age > (window ?? DEFAULT_WINDOW_MS) || age < -FUTURE_MS ? Refused.staleTimestamp() : undefined;
}

function windowOf(fields: Form): number | undefined | Refused {
  return whole(fields, 'recv_window', 'whole milliseconds', 0);
}
