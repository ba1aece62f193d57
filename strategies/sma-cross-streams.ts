import { filter, map, scan } from 'rxjs';
import {
  barInterval,
  crossover,
  decimal,
  defineStrategy,
  flat,
  holdPosition,
  integer,
  sma,
} from 'tickwright';

/**
 * `sma-cross` once more, as streams. Both averages come out of one `scan`: joined by `combineLatest` they would
 * glitch, since one of them is always a bar behind when the other arrives.
 */
export default defineStrategy({
  name: 'sma-cross',
  params: {
    fast: integer({ default: 10, min: 1 }),
    slow: integer({ default: 30, min: 2 }),
    quantity: decimal({ default: '0.01', min: 0 }), // base units
    bars: barInterval({ default: '1m' }),
  },
  streams: ({ bars$ }, { fast, slow, quantity }) => {
    const averages = { fast: sma(fast), slow: sma(slow), cross: crossover() };
    return bars$.pipe(
      scan(
        (_, { close }) => averages.cross.next(averages.fast.next(close), averages.slow.next(close)),
        undefined as 'above' | 'below' | undefined,
      ),
      filter((side) => side !== undefined),
      map((side) => (side === 'above' ? holdPosition(quantity) : flat())),
    );
  },
});
