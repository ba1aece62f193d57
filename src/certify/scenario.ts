import type { Random } from '../model/random.js';
import type { LightStreet } from '../simulation/world/light-street.js';

/** What happens to a market at a time; ms from when the strategy is started. */
export interface Move {
  readonly atMs: number;
  readonly act: (street: LightStreet) => void;
}

/** A market that a strategy must survive. */
export interface Scenario {
  /** Stable: a violation and the command that shows it again name it. */
  readonly name: string;
  /** For people. */
  readonly about: string;
  /** Mean ms between two moves of the street, and the largest move each time as a fraction of the price. */
  readonly everyMs?: number | undefined;
  readonly step?: number | undefined;
  /** Drawn from the seed, so that no strategy can learn one path by heart. */
  readonly moves: (random: Random, lengthMs: number) => readonly Move[];
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const NOTHING_SPECIAL: Scenario['moves'] = () => [];

/** The price goes to so many times itself, a little every `everyMs`. */
function slide(fromMs: number, lengthMs: number, factor: number, everyMs = 5 * SECOND_MS): readonly Move[] {
  const steps = Math.max(1, Math.floor(lengthMs / everyMs));
  const each = factor ** (1 / steps);
  return Array.from({ length: steps }, (_, index) => jump(fromMs + index * everyMs, each));
}

function jump(atMs: number, factor: number): Move {
  return { atMs, act: (street) => street.jump(factor) };
}

function pause(atMs: number, ms: number): Move {
  return { atMs, act: (street) => street.pause(ms) };
}

/** A moment between these parts of the whole length. */
function moment(random: Random, lengthMs: number, low: number, high: number): number {
  return Math.round(lengthMs * (low + (high - low) * random.next()));
}

function between(random: Random, low: number, high: number): number {
  return low + (high - low) * random.next();
}

export const SCENARIOS: readonly Scenario[] = [
  { name: 'calm', about: 'a little noise around one price', moves: NOTHING_SPECIAL },
  {
    name: 'trend-up',
    about: 'a rise of 4 to 10 % without a pause',
    moves: (random, lengthMs) => slide(0, lengthMs, between(random, 1.04, 1.1)),
  },
  {
    name: 'trend-down',
    about: 'a fall of 4 to 10 % without a pause',
    moves: (random, lengthMs) => slide(0, lengthMs, between(random, 0.9, 0.96)),
  },
  {
    name: 'chop',
    about: 'half a per cent up and down again every few minutes',
    moves(random, lengthMs) {
      const halfMs = between(random, 1, 3) * MINUTE_MS;
      const factor = between(random, 1.004, 1.008);
      return Array.from({ length: Math.floor(lengthMs / halfMs) }, (_, index) =>
        slide(index * halfMs, halfMs, index % 2 === 0 ? factor : 1 / factor),
      ).flat();
    },
  },
  {
    name: 'gap',
    about: 'the price is elsewhere from one trade to the next, by 2 to 5 %, twice',
    moves(random, lengthMs) {
      const down = between(random, 0.95, 0.98);
      const first = random.next() < 0.5 ? down : 1 / down;
      return [
        jump(moment(random, lengthMs, 0.2, 0.4), first),
        jump(moment(random, lengthMs, 0.6, 0.8), 1 / first),
      ];
    },
  },
  {
    name: 'flash-crash',
    about: '6 to 9 % down within 20 seconds, and most of it back within minutes',
    moves(random, lengthMs) {
      const atMs = moment(random, lengthMs, 0.3, 0.5);
      const low = between(random, 0.91, 0.94);
      return [
        ...slide(atMs, 20 * SECOND_MS, low, 2 * SECOND_MS),
        ...slide(atMs + 30 * SECOND_MS, 2 * MINUTE_MS, 0.99 / low),
      ];
    },
  },
  {
    name: 'cascade',
    about: 'a run of falls of a per cent each, then nobody trades, as when positions are liquidated in a row',
    moves(random, lengthMs) {
      const atMs = moment(random, lengthMs, 0.2, 0.4);
      const falls = random.integer(6, 10);
      const everyMs = between(random, 6, 12) * SECOND_MS;
      const moves = Array.from({ length: falls }, (_, index) => jump(atMs + index * everyMs, 0.99));
      return [...moves, pause(atMs + falls * everyMs, 2 * MINUTE_MS)];
    },
  },
  {
    name: 'dead-market',
    about: 'nobody trades for a quarter of the time',
    everyMs: 8 * SECOND_MS,
    moves: (random, lengthMs) => [pause(moment(random, lengthMs, 0.3, 0.4), lengthMs / 4)],
  },
  {
    name: 'burst',
    about: 'several trades a second with wide swings',
    everyMs: 400,
    step: 0.0012,
    moves: NOTHING_SPECIAL,
  },
  {
    name: 'wide-spread',
    about: 'best bid and ask stand half a per cent apart, and close again',
    moves(random, lengthMs) {
      const spread = between(random, 0.004, 0.008);
      return [
        {
          atMs: moment(random, lengthMs, 0.1, 0.2),
          act: (street) => street.quoteWith({ halfSpread: spread / 2 }),
        },
        {
          atMs: moment(random, lengthMs, 0.7, 0.8),
          act: (street) => street.quoteWith({ halfSpread: undefined }),
        },
      ];
    },
  },
  {
    name: 'funding-flip',
    about: 'funding is high, and turns to the other side; a drift with each',
    moves(random, lengthMs) {
      const premium = (random.next() < 0.5 ? 1 : -1) * between(random, 0.004, 0.008);
      const drift = 1 + Math.sign(premium) * 0.015;
      return [
        { atMs: 0, act: (street) => street.quoteWith({ premium }) },
        ...slide(0, lengthMs / 2, drift),
        { atMs: lengthMs / 2, act: (street) => street.quoteWith({ premium: -premium }) },
        ...slide(lengthMs / 2, lengthMs / 2, 1 / drift),
      ];
    },
  },
  {
    name: 'pump-and-dump',
    about: '5 to 8 % up in three minutes, all of it down again, and below',
    moves(random, lengthMs) {
      const atMs = moment(random, lengthMs, 0.2, 0.4);
      const high = between(random, 1.05, 1.08);
      return [
        ...slide(atMs, 3 * MINUTE_MS, high),
        ...slide(atMs + 4 * MINUTE_MS, 3 * MINUTE_MS, 0.98 / high),
      ];
    },
  },
];
