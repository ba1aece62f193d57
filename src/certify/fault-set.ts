import type { FaultRule, FaultWindow } from '../model/fault-rule.js';
import type { Random } from '../model/random.js';
import { FAULT_IDEAS, type FaultBounds } from '../simulation/fault-catalogue.js';
import type { Death } from '../simulation/world/life.js';

/** A death of the process, ms from its first start; it is started again `downMs` later. */
export interface PlannedDeath {
  readonly atMs: number;
  readonly death: Death;
  readonly downMs: number;
}

/** What goes wrong while a strategy runs. */
export interface Faults {
  readonly rules: readonly FaultRule[];
  readonly deaths: readonly PlannedDeath[];
}

/** One way for things to go wrong; a seed has one of them. */
export interface FaultSet {
  readonly name: string;
  /** For people. */
  readonly about: string;
  readonly faults: (random: Random, window: FaultWindow) => Faults;
}

/** What the requests of all sets stay within. */
export const FAULT_BOUNDS: FaultBounds = { lateMs: 60_000, visibilityMs: 500, postMs: 10_000 };

const LOST = ['write-lost', 'write-answer-lost', 'write-reset', 'write-503-after'] as const;
const REFUSED = ['write-503-before', 'write-gateway', 'throttled'] as const;
const SLOW = ['write-slow', 'read-slow', 'order-late', 'cancel-late'] as const;
const READS = [
  'read-lost',
  'read-503',
  'read-gateway',
  'read-truncated',
  'rows-shuffled',
  'rows-twice',
] as const;

export const FAULT_SETS: readonly FaultSet[] = [
  { name: 'none', about: 'nothing goes wrong', faults: () => ({ rules: [], deaths: [] }) },
  {
    name: 'crashes',
    about: 'the process dies every few minutes and is started again',
    faults: (random, window) => ({ rules: [], deaths: deathsOf(random, window, 4) }),
  },
  {
    name: 'lost-answers',
    about: 'one order in ten is executed or not, and nobody says which',
    faults: (random, window) => ({ rules: rulesOf(LOST, random, window, 0.03), deaths: [] }),
  },
  {
    name: 'outages',
    about: 'the venue is away for minutes, and the trades of that time with it',
    faults: (random, window) => ({ rules: outagesOf(random, window, 2), deaths: [] }),
  },
  {
    name: 'refused-writes',
    about: 'one order in five is turned away',
    faults: (random, window) => ({ rules: rulesOf(REFUSED, random, window, 0.1), deaths: [] }),
  },
  {
    name: 'slow',
    about: 'answers take seconds, and orders arrive long after they left',
    faults: (random, window) => ({ rules: rulesOf(SLOW, random, window, 0.05), deaths: [] }),
  },
  {
    name: 'bad-reads',
    about: 'reads fail, are cut off, come in another order or twice; trades are missing',
    faults: (random, window) => ({
      rules: [...rulesOf(READS, random, window, 0.03), misprints(window, 0.1)],
      deaths: [],
    }),
  },
  {
    name: 'everything',
    about: 'some of all of it at once',
    faults: (random, window) => ({
      rules: [
        ...rulesOf([...LOST, ...REFUSED, ...SLOW, ...READS], random, window, 0.01),
        ...outagesOf(random, window, 1),
        misprints(window, 0.03),
      ],
      deaths: deathsOf(random, window, 2),
    }),
  },
];

/** The set of a seed: seed 1 has none. */
export function faultSetOf(seed: number): FaultSet {
  return FAULT_SETS[(seed - 1) % FAULT_SETS.length] as FaultSet;
}

function rulesOf(
  names: readonly string[],
  random: Random,
  window: FaultWindow,
  probability: number,
): readonly FaultRule[] {
  return FAULT_IDEAS.filter(({ name }) => names.includes(name)).map(({ name, place, effect, most = 1 }) => ({
    name,
    place,
    when: { probability: Math.min(most, probability), window },
    effect: effect(random.fork(name), FAULT_BOUNDS),
  }));
}

/** Trades without a price: they are not believed, and leave a gap. */
function misprints(window: FaultWindow, probability: number): FaultRule {
  return {
    name: 'misprints',
    place: { paths: ['/trades'] },
    when: { probability, window },
    effect: { kind: 'altered-field', field: 'price', value: 0, share: 1 },
  };
}

function outagesOf(random: Random, { fromMs, untilMs }: FaultWindow, count: number): readonly FaultRule[] {
  const partMs = (untilMs - fromMs) / count;
  return Array.from({ length: count }, (_, index): FaultRule => {
    const lengthMs = Math.round(60_000 + 60_000 * random.next());
    const startMs = Math.round(fromMs + index * partMs + random.next() * Math.max(1, partMs - lengthMs));
    const answer =
      (['none', 'unavailable', 'gateway-page', 'reset'] as const)[random.integer(0, 3)] ?? 'none';
    return {
      name: `outage-${index + 1}`,
      place: {},
      when: { window: { fromMs: startMs, untilMs: startMs + lengthMs } },
      effect: { kind: 'outage', answer, msg: 'The service is temporarily unavailable' },
    };
  });
}

function deathsOf(random: Random, { fromMs, untilMs }: FaultWindow, count: number): readonly PlannedDeath[] {
  const partMs = (untilMs - fromMs) / count;
  return Array.from({ length: count }, (_, index) => ({
    atMs: Math.round(index * partMs + partMs * (0.3 + 0.6 * random.next())),
    death: random.next() < 0.5 ? ('power' as const) : ('kill' as const),
    downMs: random.integer(1_000, 20_000),
  }));
}
