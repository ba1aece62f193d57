import type { FaultRule, FaultWindow } from '../model/fault-rule.js';
import type { Lots } from '../model/grid.js';
import type { Random } from '../model/random.js';
import type { Incident, SwarmPlan } from './swarm-plan.js';
import { type Theme, THEMES } from './theme.js';

/** Share of the runs that have a theme, if none is requested. */
const SHARE = 0.2;

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
/** Few, so that all that happened since an order came into doubt can be read within the time that a look may take. */
const CROWDS = 8;
const UNFENCED_LATE_MS = 60 * SECOND_MS;
const ORDERS = { paths: ['/auth/order', '/auth/order/bulk'] };
const ORDER_LISTS = { paths: ['/orders', '/active_orders', '/order'] };

/** Draws a theme for some runs; `undefined`: the run has none. */
export function drawTheme(random: Random): Theme | undefined {
  return random.next() < SHARE ? THEMES[random.integer(0, THEMES.length - 1)] : undefined;
}

/** The plan with what its theme adds, and without what would interfere with it. */
export function themed(plan: SwarmPlan, theme: Theme, random: Random): SwarmPlan {
  return { ...PLANS[theme](plan, random), theme };
}

const PLANS: Readonly<Record<Theme, (plan: SwarmPlan, random: Random) => SwarmPlan>> = {
  visitor: (plan, random) => {
    const pollMs = 15 * SECOND_MS;
    const atMs = Math.round(plan.faultyMs * (0.1 + 0.4 * random.next()));
    const lots = random.integer(1, plan.workload.maxLots);
    const backMs = atMs + random.integer(0, 2 * SECOND_MS);
    const visits: Incident[] = [{ kind: 'external-order', atMs, lots: lots as Lots }];
    if (random.next() < 0.7) visits.push({ kind: 'external-order', atMs: backMs, lots: -lots as Lots });
    // Happens while the program is down, or shortly before it dies.
    const isAway = random.next() < 0.5;
    const diesAt = isAway
      ? Math.max(0, atMs - SECOND_MS)
      : backMs + random.integer(5 * SECOND_MS, 4 * pollMs);
    const downMs = isAway ? random.integer(20 * SECOND_MS, MINUTE_MS) : 0;
    visits.push({ kind: 'crash', atMs: diesAt, death: 'kill', point: undefined, downMs });
    return withIncidents({ ...busyWith(plan, 'flips'), pollMs }, [
      ...visits,
      ...crashes(plan, random, 3 * MINUTE_MS),
    ]);
  },
  hasty: (plan, random) => {
    const { lateMs } = plan.bounds;
    const late = lateOrders([lateMs / 4, Math.max(200, lateMs - 3 * SECOND_MS)], plan);
    const point = { name: 'http.POST /auth/order.after', nth: 1 };
    const deaths = crashes(plan, random, 3 * MINUTE_MS).map((crash) => ({ ...crash, point }));
    return withIncidents(withRules({ ...plan, pollMs: 5 * SECOND_MS }, [late]), deaths);
  },
  'last-moment': (plan) => {
    const visibilityMs = 5 * SECOND_MS;
    const bounds = { ...plan.bounds, visibilityMs };
    // Latencies must be shorter than the second that is left.
    const network = { ...plan.network, upMs: [5, 30], downMs: [5, 30], tail: 0 } as const;
    const late = lateOrders([bounds.lateMs - 2 * SECOND_MS, bounds.lateMs - SECOND_MS], plan);
    const shown: FaultRule = {
      name: 'theme-rows-late',
      place: ORDER_LISTS,
      when: { window: faulty(plan) },
      effect: { kind: 'late-visibility', delayMs: [visibilityMs - SECOND_MS, visibilityMs] },
    };
    return withRules({ ...busyWith(plan, 'grid'), bounds, network, pollMs: 5 * SECOND_MS }, [late, shown]);
  },
  alike: (plan) => {
    const workload = { ...plan.workload, kind: 'flips', limitShare: 0, sizeStep: 20 } as const;
    return withRules({ ...unfenced(plan), workload }, [lostAnswers(plan)]);
  },
  garbled: (plan, random) => {
    const fromMs = random.integer(0, 4 * MINUTE_MS);
    const window: FaultWindow = { fromMs, untilMs: fromMs + 100 * SECOND_MS, repeatMs: 4 * MINUTE_MS };
    const garbled: FaultRule = {
      name: 'theme-price-garbled',
      place: ORDER_LISTS,
      when: { window },
      effect: { kind: 'altered-field', field: 'price_orig', value: 1, share: 1 },
    };
    const traits = { ...plan.traits, echo: false, hidesPrice: false };
    return withRules({ ...busyWith(plan, 'grid'), traits }, [lostAnswers(plan), garbled]);
  },
  torn: (plan) => {
    const bounds = { ...plan.bounds, visibilityMs: 5 * SECOND_MS };
    const traits = { ...plan.traits, tearsOrders: true };
    const market = { ...plan.market, everyMs: SECOND_MS };
    return { ...busyWith(plan, 'quotes'), bounds, traits, market };
  },
  opening: (plan, random) => {
    const lots = random.integer(1, plan.workload.maxLots / 2) * (random.next() < 0.5 ? -1 : 1);
    const glitch: FaultRule = {
      name: 'theme-position-denied',
      place: { paths: ['/position'] },
      when: { index: [random.integer(1, 6)], window: faulty(plan) },
      effect: { kind: 'altered-field', field: 'size', value: 0, share: 1 },
    };
    // Writes become visible at once, so that one read is enough to initialise the books.
    const rules = plan.faults.rules.filter(
      ({ name }) => !/^(?:read-stale|rows-late|position-zero)$/.test(name),
    );
    const faults = { ...plan.faults, rules: [glitch, ...rules] };
    const bounds = { ...plan.bounds, visibilityMs: 0 };
    // Without tags, orders from before the start would be unknown.
    const traits = { ...plan.traits, echo: true };
    return { ...plan, bounds, faults, traits, openingLots: lots as Lots };
  },
  narrow: (plan) => {
    const traits = { ...plan.traits, perSecond: 1 };
    return { ...busyWith(plan, 'grid'), pollMs: 15 * SECOND_MS, traits };
  },
  crowd: (plan, random) => {
    const crowds = Array.from({ length: CROWDS }, (): Incident => {
      const atMs = Math.round(plan.faultyMs * random.next());
      return { kind: 'crowd', atMs, orders: 12, restMs: MINUTE_MS };
    });
    // Tags distinguish the program's orders from those of the crowd, and the price stays away from the latter.
    const traits = { ...plan.traits, echo: true, maxLimit: 8, perSecond: undefined };
    const market = { ...plan.market, deposit: '100000' };
    const incidents = plan.incidents.filter(({ kind }) => kind !== 'price-jump');
    const busy = { ...busyWith(plan, 'grid'), incidents, market, traits, pollMs: 5 * SECOND_MS };
    return withIncidents(withRules(busy, [lostAnswers(plan)]), crowds);
  },
  operator: (plan, random) => {
    const atMs = Math.round(plan.faultyMs * (0.1 + 0.5 * random.next()));
    const level = random.next() < 0.5 ? 'pause' : 'cancel';
    const deaths = crashes(plan, random, 3 * MINUTE_MS);
    // Large orders that fill in parts, so that one of them is under way when the program dies.
    const workload = { ...plan.workload, kind: 'flips', limitShare: 1 } as const;
    const [first] = crashes({ ...plan, faultyMs: MINUTE_MS }, random, 10 * SECOND_MS);
    const soon = first === undefined ? [] : [{ ...first, atMs: atMs + first.atMs }];
    return withIncidents({ ...plan, workload }, [{ kind: 'halt', atMs, level }, ...soon, ...deaths]);
  },
  blind: (plan, random) => {
    const fromMs = random.integer(0, 5 * MINUTE_MS);
    const window: FaultWindow = { fromMs, untilMs: fromMs + 2 * MINUTE_MS, repeatMs: 5 * MINUTE_MS };
    const unseen: FaultRule = {
      name: 'theme-market-unseen',
      place: { paths: ['/trades', '/ticker', '/depth'] },
      when: { window },
      effect: { kind: 'lost-response' },
    };
    return withRules(busyWith(plan, 'quotes'), [unseen]);
  },
};

function busyWith(plan: SwarmPlan, kind: SwarmPlan['workload']['kind']): SwarmPlan {
  return { ...plan, workload: { ...plan.workload, kind } };
}

function unfenced(plan: SwarmPlan): SwarmPlan {
  const traits = { ...plan.traits, fenced: false, echo: false };
  return { ...plan, traits, bounds: { ...plan.bounds, lateMs: UNFENCED_LATE_MS } };
}

function faulty({ faultyMs }: SwarmPlan): FaultWindow {
  return { fromMs: 0, untilMs: faultyMs };
}

function lateOrders(delayMs: readonly [number, number], plan: SwarmPlan): FaultRule {
  return {
    name: 'theme-order-late',
    place: ORDERS,
    when: { probability: 0.3, window: faulty(plan) },
    effect: { kind: 'late-execution', delayMs, answer: 'none', msg: '' },
  };
}

function lostAnswers(plan: SwarmPlan): FaultRule {
  return {
    name: 'theme-answer-lost',
    place: ORDERS,
    when: { probability: 0.2, window: faulty(plan) },
    effect: { kind: 'lost-response' },
  };
}

/** The new rules come first, because the first of several contradicting rules takes effect. */
function withRules(plan: SwarmPlan, rules: readonly FaultRule[]): SwarmPlan {
  return { ...plan, faults: { ...plan.faults, rules: [...rules, ...plan.faults.rules] } };
}

function withIncidents(plan: SwarmPlan, incidents: readonly Incident[]): SwarmPlan {
  const all = [...plan.incidents, ...incidents].filter(({ atMs }) => atMs < plan.faultyMs);
  return { ...plan, incidents: all.sort((a, b) => a.atMs - b.atMs) };
}

function crashes(
  { faultyMs }: Pick<SwarmPlan, 'faultyMs'>,
  random: Random,
  meanMs: number,
): readonly Extract<Incident, { kind: 'crash' }>[] {
  const found: Extract<Incident, { kind: 'crash' }>[] = [];
  for (let at = random.exponential() * meanMs; at < faultyMs; at += random.exponential() * meanMs) {
    const downMs = Math.round(SECOND_MS * random.next());
    found.push({ kind: 'crash', atMs: Math.round(at), death: 'kill', point: undefined, downMs });
  }
  return found;
}
