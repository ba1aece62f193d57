/**
 * What a run is about, where chance alone would rarely bring together what it takes:
 *
 * - `visitor`: somebody else buys and sells on the pair, and the program dies often
 * - `hasty`: it dies as orders leave, is back at once, and orders come as late as they may
 * - `last-moment`: orders come as late as they may, and show as late as they may
 * - `alike`: all orders are of one of two sizes, and the venue shows no tags
 * - `garbled`: for minutes at a time the venue shows orders at another price than they were sent with
 * - `torn`: an order is shown as ended before the last of its fills shows
 * - `opening`: the account holds something before the first start, and one early read denies it
 * - `narrow`: so few requests are allowed that orders wait for their turn
 * - `crowd`: somebody else has more orders on the pair than an answer has rows
 * - `operator`: somebody halts the program, which dies often
 * - `blind`: the market cannot be seen for minutes at a time, the account can
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
