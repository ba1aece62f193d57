import { isLoopback } from '../../client/base-url.js';
import type { LimitsConfig } from '../../config/load-config.js';
import { REQUIRED_LIMITS } from '../../config/required-limits.js';
import { type Limits, NO_LIMITS, type RejectPause } from '../../gate/limits.js';
import { Decimal, plain } from '../../model/decimal.js';
import { UsageError } from '../../model/errors.js';
import { type Lots, textOf } from '../../model/grid.js';
import type { Market } from '../../model/market.js';
import type { Money } from '../../model/money.js';
import { quantise } from '../../model/quantise.js';
import { say } from '../view/output.js';
import type { Settings } from './settings.js';

const LOSS_PAUSE_MS = 3_600_000;
/** If half of the newest ten orders were rejected, something is wrong with what is sent. */
const REJECT_PAUSE: RejectPause = { rejected: 5, of: 10, forMs: 60_000 };

/**
 * The configured limits in lots of a market; fractions of a lot are rounded down. If any limit is set, the pause after
 * many rejections applies as well.
 *
 * @throws UsageError when a quantity is below one lot, because all orders would be refused
 */
export function limitsOf(
  { pair, quantityGrid }: Market,
  { limits: config, errorAt }: Pick<Settings, 'limits' | 'errorAt'>,
): Limits {
  if (!areSet(config)) return NO_LIMITS;
  const lots = (name: 'maxPosition' | 'maxOrderQuantity') => {
    const quantity = config[name];
    if (quantity === undefined) return undefined;
    const found = quantise(quantityGrid, 1, quantity, 'down') as Lots;
    if (found > 0) return found;
    throw errorAt(
      ['limits', name],
      `must be at least one lot of ${pair}, ${textOf(quantityGrid, 1)}, received ${plain(quantity)}`,
    );
  };
  const { rejectPause, maxConsecutiveLosses: losses, lossPause = LOSS_PAUSE_MS } = config;
  return {
    maxPosition: lots('maxPosition'),
    maxOrderQuantity: lots('maxOrderQuantity'),
    maxOpenOrders: config.maxOpenOrders,
    maxOrderNotional: config.maxOrderNotional?.toNumber(),
    priceCollar: config.priceCollar?.toNumber(),
    maxOrdersPerMinute: config.maxOrdersPerMinute,
    maxOrdersPerHour: config.maxOrdersPerHour,
    maxCancelsPerMinute: config.maxCancelsPerMinute,
    minRepeatMs: config.minRepeat,
    rejectPause: { ...REJECT_PAUSE, forMs: rejectPause ?? REJECT_PAUSE.forMs },
    maxGrossNotional: config.maxGrossNotional?.toNumber(),
    maxDailyLoss: config.maxDailyLoss?.toNumber(),
    maxDrawdown: config.maxDrawdown?.toNumber(),
    lossPause: losses === undefined ? undefined : { losses, forMs: lossPause },
    maxLeverage: config.maxLeverage?.toNumber(),
    minLiquidationDistance: config.minLiquidationDistance?.toNumber(),
    maxBareMs: config.maxBareTime,
  };
}

/**
 * How much of the quote asset may be unexplained, in units of its money. If limits are set, the default is one quote
 * unit.
 */
export function suspenseBound(
  { quotePrecision }: Market,
  config: LimitsConfig | undefined,
): Money | undefined {
  if (!areSet(config)) return undefined;
  const { maxSuspense = new Decimal(1) } = config;
  return BigInt(maxSuspense.times(new Decimal(10).pow(quotePrecision)).toFixed(0, Decimal.ROUND_DOWN));
}

function areSet(config: LimitsConfig | undefined): config is LimitsConfig {
  return config !== undefined && Object.values(config).some((bound) => bound !== undefined);
}

/**
 * Demands limits for real money.
 *
 * @throws UsageError naming the missing ones, unless the venue is a simulated one on this machine.
 */
export function demandLimits(url: string, config: LimitsConfig | undefined): void {
  if (isLoopback(url)) return;
  const missing = REQUIRED_LIMITS.filter((name) => config?.[name] === undefined);
  if (missing.length === 0) return;
  throw new UsageError(
    'TICKWRIGHT_E_LIMITS',
    `limits must hold ${REQUIRED_LIMITS.join(', ')} for live trading at ${url}, received none of ${missing.join(', ')}`,
  );
}

/**
 * The limits that apply to an order by hand: those that depend on the order and the account only. The others need a
 * session.
 */
export function limitsByHand(limits: Limits): Limits {
  const { maxPosition, maxOrderQuantity, maxOpenOrders, maxOrderNotional, priceCollar } = limits;
  const { maxGrossNotional, maxLeverage, minLiquidationDistance } = limits;
  return {
    ...NO_LIMITS,
    maxPosition,
    maxOrderQuantity,
    maxOpenOrders,
    maxOrderNotional,
    priceCollar,
    maxGrossNotional,
    maxLeverage,
    minLiquidationDistance,
  };
}

const OF_SESSIONS = [
  'maxOrdersPerMinute',
  'maxOrdersPerHour',
  'maxCancelsPerMinute',
  'minRepeat',
  'rejectPause',
  'maxDailyLoss',
  'maxDrawdown',
  'maxConsecutiveLosses',
  'maxBareTime',
] as const;

/** Warns about configured limits that do not apply to an order by hand. */
export async function sayUncheckedLimits(config: LimitsConfig | undefined): Promise<void> {
  const names = OF_SESSIONS.filter((name) => config?.[name] !== undefined).map((name) => `limits.${name}`);
  if (names.length > 0) await say(`warning: an order by hand is not held to ${names.join(', ')}`);
}
