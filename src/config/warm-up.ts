import { DAY_MS } from '../model/calendar.js';
import { parseDuration } from '../model/duration.js';

const MOST_WARM_UP_MS = 30 * DAY_MS;
export const WARM_UP_EXPECTED = 'a duration of at most 30d, like 1h or 2d';

/** How much history a strategy sees before it trades, ms; `undefined` where it is no such text. */
export function parseWarmUp(text: string): number | undefined {
  const ms = parseDuration(text);
  return ms !== undefined && ms <= MOST_WARM_UP_MS ? ms : undefined;
}
