import { type RunEnd, runScenario } from '../../src/certify/run-scenario.js';
import { type Scenario, SCENARIOS } from '../../src/certify/scenario.js';
import { type Limits, NO_LIMITS } from '../../src/gate/limits.js';
import type { Lots } from '../../src/model/grid.js';
import type { BoundStrategy } from '../../src/strategy/instance.js';
import { catalogueEntry, catalogueMarket, DEFAULT_PAIR } from '../../src/venue/catalogue.js';
import { drain } from '../simulation/drain.js';

export const MARKET = catalogueMarket(DEFAULT_PAIR);
const START_TICKS = catalogueEntry(DEFAULT_PAIR).referencePrice * MARKET.priceGrid.scale;

/** Such as a bot has at a venue that allows as much as ours. */
export const LIMITS: Limits = {
  ...NO_LIMITS,
  maxPosition: 50 as Lots,
  maxOrderQuantity: 20 as Lots,
  maxGrossNotional: 5_000,
  maxOpenOrders: 20,
  maxOrdersPerMinute: 60,
  maxDailyLoss: 200,
  priceCollar: 0.02,
  rejectPause: { rejected: 5, of: 10, forMs: 60_000 },
};

export function scenarioNamed(name: string): Scenario {
  const scenario = SCENARIOS.find((each) => each.name === name);
  if (scenario === undefined) throw new Error(`no scenario ${name}`);
  return scenario;
}

export function run(
  strategy: BoundStrategy,
  scenario: string,
  seed: number,
  limits = LIMITS,
): Promise<RunEnd> {
  const terms = { strategy, market: MARKET, startTicks: START_TICKS, limits, onDoubt: undefined, drain };
  return runScenario({ ...terms, scenario: scenarioNamed(scenario), seed });
}
