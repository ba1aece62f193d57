import { tickwright, type VenueProfile } from '../client/profile.js';
import { catalogueEntry, catalogueMarket, DEFAULT_PAIR } from '../venue/catalogue.js';
import type { SubjectConfig } from './subject.js';
import type { SwarmPlan } from './swarm-plan.js';
import { Workload } from './workload.js';
import type { WorldAccount } from './world/venue-world.js';

/** A key and a secret that must not appear in anything that a run leaves behind. */
export const CANARY = { key: 'canary-key-5a1f', secret: 'canary-secret-c0ffee-7b' } as const;

export function holdsSecret(text: string): boolean {
  return text.includes(CANARY.key) || text.includes(CANARY.secret);
}

export const MARKET = catalogueMarket(DEFAULT_PAIR);
export const START_TICKS = catalogueEntry(DEFAULT_PAIR).referencePrice * MARKET.priceGrid.scale;

/** The greatest age of data for an order that adds risk: this, or four polls if that is longer. */
const STALE_MS = 20_000;
const STALE_POLLS = 4;

export function accountOf({ market }: SwarmPlan): WorldAccount {
  return { name: 'bot', ...CANARY, deposits: { [MARKET.quote]: market.deposit } };
}

/** What the client is told about the venue. It is the truth. */
export function profileOf({ traits, bounds }: SwarmPlan): VenueProfile {
  const { orderFields } = tickwright;
  return {
    ...tickwright,
    name: traits.fenced ? 'fenced' : 'unfenced',
    maxLimit: traits.maxLimit,
    budget: traits.perSecond === undefined ? tickwright.budget : { perSecond: traits.perSecond, burst: 5 },
    fencesLate: traits.fenced,
    definiteRefusals: traits.definiteRefusals ? tickwright.definiteRefusals : [],
    echo: traits.echo ? 'oco' : undefined,
    visibilityLagMs: bounds.visibilityMs,
    // A venue that does not know these fields ignores them.
    orderFields: traits.fenced
      ? orderFields
      : { ...orderFields, timestamp: 'sent_time', recvWindow: 'sent_window' },
  };
}

export function configOf(plan: SwarmPlan, baseUrl: string): Omit<SubjectConfig, 'session'> {
  return {
    baseUrl,
    credentials: { apiKey: CANARY.key, apiSecret: CANARY.secret },
    profile: profileOf(plan),
    market: MARKET,
    maxPosition: plan.workload.maxLots,
    workload: new Workload(plan.workload),
    pollMs: plan.pollMs,
    bounds: plan.bounds,
    staleMs: Math.max(STALE_MS, STALE_POLLS * plan.pollMs),
    directory: 'state',
    seed: `subject/${plan.seed}`,
  };
}
