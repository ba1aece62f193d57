import { Refused } from './envelope.js';
import { malformed, text, whole } from './fields.js';
import type { Form } from './form.js';

const DEFAULT_WINDOW_MS = 5_000;
/** How far ahead of the venue's clock a timestamp may lie. */
const FUTURE_MS = 1_000;

/**
 * The age rule of signed requests (`dialect.md` §1): `timestamp` (ms, maybe with a fraction) is optional; one that is
 * older than `recv_window`, or from the future, refuses the request.
 */
export function refuseStale(fields: Form, now: number): Refused | undefined {
  const window = whole(fields, 'recv_window', 'whole milliseconds', 0);
  if (window instanceof Refused) return window;
  const stamp = text(fields, 'timestamp');
  if (stamp === undefined || stamp instanceof Refused) return stamp;
  if (!/^\d{1,15}(\.\d{1,15})?$/.test(stamp)) return malformed('timestamp', 'milliseconds since 1970', stamp);
  const age = now - Number(stamp);
  return age > (window ?? DEFAULT_WINDOW_MS) || age < -FUTURE_MS ? Refused.staleTimestamp() : undefined;
}
