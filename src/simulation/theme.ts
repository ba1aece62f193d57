/**
 * The theme of a run: a combination of circumstances that chance alone would rarely produce.
 *
 * - `visitor`: somebody else buys and sells on the pair, and the program dies often
 * - `hasty`: the program dies as orders leave and is restarted at once, and orders execute as late as they may
 * - `last-moment`: orders execute, and become visible, as late as they may
 * - `alike`: all orders have one of two sizes, and the venue shows no tags
 * - `garbled`: for minutes at a time the venue shows orders with another price than they were sent with
 * - `torn`: an order is shown as ended before the last of its fills is shown
 * - `opening`: the account has a position before the first start, and one early read denies it
 * - `narrow`: so few requests are allowed that orders wait for their turn
 * - `crowd`: somebody else has more orders on the pair than an answer has rows
 * - `operator`: somebody halts the program, which dies often
 * - `blind`: for minutes at a time the market cannot be read, but the account can
 */
export const THEMES = [
  'visitor',
  'hasty',
  'last-moment',
  'alike',
  'garbled',
  'torn',
  'opening',
  'narrow',
  'crowd',
  'operator',
  'blind',
] as const;

export type Theme = (typeof THEMES)[number];
