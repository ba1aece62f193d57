import type { FaultRule, FaultWindow } from '../model/fault-rule.js';
import type { Lots } from '../model/grid.js';
import { type Random, seededRandom } from '../model/random.js';
import {
  DUPLICATE_IDEA,
  type FaultBounds,
  FAULT_IDEAS,
  ruleOf,
  STALE_IDEAS,
  TOO_LATE_IDEA,
} from './fault-catalogue.js';
import { incidentsOf } from './incidents.js';
import type { SwarmMode, SwarmPlan, VenueTraits } from './swarm-plan.js';
import type { Theme } from './theme.js';
import { drawTheme, themed } from './themes.js';
import { type Climate, mixedPace, mixedWeather, type Pace, STORM, type Weather } from './weather.js';
import { WORKLOAD_KINDS } from './workload.js';
import type { ConnectRule } from './world/connect-rules.js';

export interface SwarmOptions {
  /** Length of the faulty phase, hours; default 24. */
  readonly hours?: number | undefined;
  readonly mode?: SwarmMode | undefined;
  /** Default `storm`. */
  readonly climate?: Climate | undefined;
  /** Default: drawn for some runs of the normal mode. */
  readonly theme?: Theme | undefined;
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const CALM_MS = 15 * MINUTE_MS;
const MOST_LOOK_MS = 5 * SECOND_MS;
/** Short intervals are rare, because they cost most and find nothing that longer ones do not. */
const POLLS_MS = [1_000, 5_000, 5_000, 5_000, 5_000, 15_000, 15_000, 15_000] as const;
/** recv_window, the error of the clock, and a second to spare. */
const FENCED_LATE_MS = 10 * SECOND_MS;
/** The largest position that the workload wants. */
const MOST_LOTS = 40 as Lots;
/**
 * One-way latency in ms, and the probability that it is ten times as long. Never so long that nothing arrives within
 * its bounds.
 */
const NETWORKS = [
  [[5, 30], 0.01],
  [[20, 200], 0.01],
  [[50, 600], 0],
] as const;

/** Draws what goes wrong in the run of a seed: first whether a kind of fault exists at all, then how often it occurs. */
export function swarm(seed: number, options: SwarmOptions = {}): SwarmPlan {
  const random = seededRandom(`swarm/${seed}`);
  const plan = plainSwarm(seed, options);
  // A run with a broken assumption is about that, so it has no theme. In a mixed climate half of the runs have none,
  // because themes cost more.
  const isPlain =
    plan.mode !== 'normal' || (options.climate === 'mixed' && random.fork('plain').next() < 0.5);
  const drawn = isPlain ? undefined : drawTheme(random.fork('theme'));
  const { theme = drawn } = options;
  return theme === undefined ? plan : themed(plan, theme, random.fork(`theme/${theme}`));
}

function plainSwarm(
  seed: number,
  { hours = 24, mode = 'normal', climate = 'storm' }: SwarmOptions,
): SwarmPlan {
  const random = seededRandom(`swarm/${seed}`);
  const faultyMs = Math.round(hours * HOUR_MS);
  const window: FaultWindow = { fromMs: 0, untilMs: faultyMs };
  const traits = traitsOf(random.fork('traits'), mode);
  const weather = climate === 'mixed' ? mixedWeather(random.fork('weather')) : STORM;
  const pace = climate === 'mixed' ? mixedPace(random.fork('pace')) : stormPace(random);
  const reached: FaultBounds = {
    lateMs: 60 * SECOND_MS,
    visibilityMs: pick(random.fork('visibility'), [0, 500, 5_000]),
    postMs: 10 * SECOND_MS,
  };
  // Requests are as late as elsewhere, but a venue that fences refuses late ones.
  const bounds = traits.fenced ? { ...reached, lateMs: FENCED_LATE_MS } : reached;
  const [span, tail] = pick(random.fork('latency'), NETWORKS);
  const isThin = random.fork('deposit').next() < 0.15;
  return {
    seed,
    mode,
    faultyMs,
    calmMs: CALM_MS,
    pollMs: pace.pollMs,
    bounds,
    traits,
    network: { upMs: span, downMs: span, tail, connect: connectOf(random.fork('connect'), window) },
    faults: { seed, rules: rulesOf(random.fork('faults'), { mode, window, bounds: reached, weather }) },
    incidents: incidentsOf(random.fork('incidents'), {
      faultyMs,
      mostLots: MOST_LOTS,
      isThin,
      gap: weather.gap,
    }),
    clock: {
      offsetMs: pick(random.fork('offset'), [0, 0, 800, -5_000, 3_600_000]),
      driftPpm: pick(random.fork('drift'), [0, 20, -40]),
    },
    market: {
      everyMs: pace.marketMs,
      deposit: isThin ? '150' : '100000',
    },
    workload: {
      kind: pick(random.fork('workload'), ['flips', 'flips', ...WORKLOAD_KINDS]),
      seed: `workload/${seed}`,
      maxLots: MOST_LOTS,
      limitShare: pick(random.fork('limits'), [0, 0.3, 1]),
      lookMs: pace.lookMs,
      slow: pace.slow,
    },
    lookMs: Math.min(pace.lookMs, MOST_LOOK_MS),
    weather: weather.kind,
  };
}

function stormPace(random: Random): Pace {
  return {
    pollMs: pick(random.fork('poll'), POLLS_MS),
    marketMs: pick(random.fork('market'), [1_000, 3_000, 10_000]),
    lookMs: SECOND_MS,
    slow: 1,
  };
}

function traitsOf(random: Random, mode: SwarmMode): VenueTraits {
  return {
    // A venue that fences never executes too late, so A2 could not be broken.
    fenced: random.next() < 0.4 && mode !== 'A2-broken',
    definiteRefusals: random.next() < 0.5,
    echo: random.next() < 0.5,
    maxLimit: pick(random, [20, 100, 1_000]),
    hidesPrice: random.next() < 0.3,
    perSecond: pick(random, [undefined, undefined, undefined, 5]),
  };
}

function connectOf(random: Random, window: FaultWindow): readonly ConnectRule[] {
  const slow = slowConnectOf(random.fork('slow'), window);
  const probability = pick(random, [0, 0, 0.002, 0.02, 0.1]);
  if (probability === 0) return slow;
  const kind = pick(random, ['refused', 'no-such-host', 'connect-timeout'] as const);
  return [{ name: `connect-${kind}`, place: {}, when: { probability, window }, kind }, ...slow];
}

/** Connections for orders that are established late, so that the program must ask again whether the order may leave. */
function slowConnectOf(random: Random, window: FaultWindow): readonly ConnectRule[] {
  const probability = pick(random, [0, 0, 0, 0.05, 0.5]);
  if (probability === 0) return [];
  const kind = 'slow-connect';
  const place = { paths: ['/auth/order'] };
  return [{ name: `connect-${kind}`, place, when: { probability, window }, kind }];
}

function rulesOf(
  random: Random,
  {
    mode,
    window,
    bounds,
    weather,
  }: { mode: SwarmMode; window: FaultWindow; bounds: FaultBounds; weather: Weather },
): readonly FaultRule[] {
  const rules: FaultRule[] = [...outagesOf(random.fork('outages'), window, weather.gap)];
  const broken = mode === 'A1-broken' ? [DUPLICATE_IDEA] : mode === 'A2-broken' ? [TOO_LATE_IDEA] : [];
  for (const { name, place, effect } of broken) {
    const when = { probability: 0.05, window };
    rules.push({ name, place, when, effect: effect(random.fork(name), bounds) });
  }
  for (const idea of FAULT_IDEAS) {
    const own = random.fork(idea.name);
    if (own.next() < weather.share) rules.push(weakened(ruleOf(idea, own, window, bounds), weather));
  }
  for (const idea of STALE_IDEAS) {
    const own = random.fork(idea.name);
    if (bounds.visibilityMs >= (idea.leastVisibilityMs ?? 1) && own.next() < 1.25 * weather.share)
      rules.push(weakened(ruleOf(idea, own, window, bounds), weather));
  }
  return rules;
}

function weakened(rule: FaultRule, { strength }: Weather): FaultRule {
  const { probability } = rule.when;
  if (strength === 1 || probability === undefined) return rule;
  return { ...rule, when: { ...rule.when, probability: probability * strength } };
}

/** Outages of some minutes, some times a day. */
function outagesOf(random: Random, { untilMs }: FaultWindow, gap: number): readonly FaultRule[] {
  const perDay = pick(random, [0, 2, 12]);
  const count = Math.round((perDay * untilMs) / (24 * HOUR_MS * gap));
  return Array.from({ length: count }, (_, index): FaultRule => {
    const fromMs = Math.round(random.next() * untilMs);
    const lengthMs = Math.max(SECOND_MS, Math.round(random.exponential() * 4 * MINUTE_MS));
    return {
      name: `outage-${index + 1}`,
      place: random.next() < 0.3 ? { calls: 'read' } : {},
      when: { window: { fromMs, untilMs: fromMs + lengthMs } },
      effect: {
        kind: 'outage',
        answer: pick(random, ['none', 'unavailable', 'gateway-page', 'reset'] as const),
        msg: 'The service is temporarily unavailable',
      },
    };
  });
}

function pick<T>(random: Random, options: readonly T[]): T {
  return options[random.integer(0, options.length - 1)] as T;
}
