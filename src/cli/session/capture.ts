/** The header of a capture: what another process needs in order to recompute the session's decisions. */
import { join, resolve } from 'node:path';
import type { PositionSource } from '../../engine/engine.js';
import type { OnDoubt } from '../../engine/order-desk.js';
import type { DayBaseline } from '../../gate/daily-loss.js';
import type { Reserve } from '../../gate/exposure.js';
import type { Limits, LossPause, RejectPause } from '../../gate/limits.js';
import type { SentOrder } from '../../gate/pace.js';
import type { Lots } from '../../model/grid.js';
import type { Files } from '../../ports/files.js';
import { type BotPlan, positionSource } from '../../runner/bot.js';
import type { LiveBeginning } from '../../runner/live-session.js';
import type { StartingCash } from '../../runner/starting-cash.js';
import type { CaptureHeader } from '../../storage/capture/capture.js';
import { Fields, type JsonObject } from '../../storage/json-fields.js';
import { readRiskMemory } from '../../storage/journal/journal-decoder.js';
import { sessionSpecOf } from '../../storage/market-spec.js';
import type { Machine } from '../machine.js';
import { fileStamp } from '../view/moment.js';
import { packageVersion } from '../package.js';
import type { SessionPlan } from './session-plan.js';

/** What the engine and the gate were started with besides strategy and market. */
export interface CapturedOptions {
  readonly mode: string;
  readonly seed: string;
  readonly warmUp: boolean;
  readonly funds: number | undefined;
  readonly wealth: number | undefined;
  readonly onDoubt: OnDoubt;
  readonly positions: PositionSource;
  readonly baseline: DayBaseline | undefined;
  readonly reserves: readonly Reserve[];
  readonly sent: readonly SentOrder[];
}

export type CapturedPlan = Pick<
  SessionPlan,
  'mode' | 'market' | 'strategy' | 'limits' | 'seed' | 'onDoubt' | 'baseline' | 'reserves'
> &
  Pick<BotPlan, 'every'> &
  Partial<Pick<LiveBeginning, 'sent'>>;

export async function captureHeader(
  files: Files,
  { mode, market, strategy, limits, seed, every, onDoubt, baseline, reserves = [], sent = [] }: CapturedPlan,
  cash: Partial<StartingCash>,
): Promise<Omit<CaptureHeader, 'firstInput'>> {
  return {
    engine: await packageVersion(files),
    strategy: {
      name: strategy.bound.name,
      file: resolve(strategy.file),
      sha256: strategy.sha256,
      params: strategy.params,
      given: strategy.given,
    },
    market: sessionSpecOf(market),
    limits: {
      ...limits,
      rejectPause: limits.rejectPause && { ...limits.rejectPause },
      lossPause: limits.lossPause && { ...limits.lossPause },
    },
    options: {
      mode,
      seed,
      warmUp: true,
      ...cash,
      onDoubt,
      ...(positionSource(every) === 'own' ? { positions: 'own' } : {}),
      baseline: baseline && { ...baseline, memory: baseline.memory && { ...baseline.memory } },
      ...(reserves.length === 0 ? {} : { reserves: reserves.map((reserve): JsonObject => ({ ...reserve })) }),
      ...(sent.length === 0 ? {} : { sent: sent.map((order): JsonObject => ({ ...order })) }),
    },
  };
}

/** The path of a capture: one file for each session, whose names sort by start time. */
export function capturePath(
  { clock, entropy }: Pick<Machine, 'clock' | 'entropy'>,
  folder: string,
  name: string,
): string {
  const suffix = Buffer.from(entropy.bytes(2)).toString('hex');
  return join(folder, `${fileStamp(clock.wall())}-${name}-${suffix}.ndjson`);
}

const CAPTURE_NAME = /^\d{8}T\d{6}-.+-[0-9a-f]{4}\.ndjson$/;

/** Whether a file has the name of a capture, as opposed to other ndjson files in its folder. */
export function isCaptureName(name: string): boolean {
  return CAPTURE_NAME.test(name);
}

/** @throws UsageError that names the missing or wrong field */
export function capturedOptions({ options }: CaptureHeader): CapturedOptions {
  const fields = new Fields(options, 'header.options');
  return {
    mode: fields.text('mode'),
    seed: fields.text('seed'),
    warmUp: fields.flag('warmUp'),
    funds: fields.optionalNumber('funds'),
    wealth: fields.optionalNumber('wealth'),
    onDoubt: fields.has('onDoubt') ? fields.oneOf('onDoubt', ['cancel', 'hold']) : 'cancel',
    // Captures without this field come from versions that had polled positions only.
    positions: fields.has('positions') ? fields.oneOf('positions', ['told', 'own']) : 'told',
    baseline: fields.has('baseline') ? baselineOf(fields.object('baseline')) : undefined,
    reserves: fields.has('reserves') ? fields.array('reserves').map(reserveOf) : [],
    sent: fields.has('sent') ? fields.array('sent').map(sentOf) : [],
  };
}

function baselineOf(fields: Fields): DayBaseline {
  const day = { day: fields.text('day'), equity: fields.text('equity'), tripped: fields.flag('tripped') };
  return fields.has('memory') ? { ...day, memory: readRiskMemory(fields.object('memory')) } : day;
}

function reserveOf(value: unknown, index: number): Reserve {
  const fields = new Fields(value, `header.options.reserves[${index}]`);
  return {
    intentId: fields.has('intentId') ? fields.integer('intentId') : undefined,
    side: fields.oneOf('side', ['buy', 'sell']),
    lots: fields.integer('lots') as Lots,
    until: fields.number('until'),
  };
}

function sentOf(value: unknown, index: number): SentOrder {
  const fields = new Fields(value, `header.options.sent[${index}]`);
  const side = fields.oneOf('side', ['buy', 'sell']);
  return { side, reduceOnly: fields.flag('reduceOnly'), sentAt: fields.number('sentAt') };
}

/** @throws UsageError that names the wrong limit */
export function capturedLimits({ limits }: CaptureHeader): Limits {
  const fields = new Fields(limits, 'header.limits');
  const whole = (name: keyof Limits) => (fields.has(name) ? fields.integer(name) : undefined);
  const number = (name: keyof Limits) => fields.optionalNumber(name);
  return {
    maxPosition: whole('maxPosition') as Lots | undefined,
    maxOrderQuantity: whole('maxOrderQuantity') as Lots | undefined,
    maxOpenOrders: whole('maxOpenOrders'),
    maxOrderNotional: number('maxOrderNotional'),
    priceCollar: number('priceCollar'),
    maxOrdersPerMinute: whole('maxOrdersPerMinute'),
    maxOrdersPerHour: whole('maxOrdersPerHour'),
    maxCancelsPerMinute: whole('maxCancelsPerMinute'),
    minRepeatMs: number('minRepeatMs'),
    rejectPause: fields.has('rejectPause') ? rejectPauseOf(fields.object('rejectPause')) : undefined,
    maxGrossNotional: number('maxGrossNotional'),
    maxDailyLoss: number('maxDailyLoss'),
    maxDrawdown: number('maxDrawdown'),
    lossPause: fields.has('lossPause') ? lossPauseOf(fields.object('lossPause')) : undefined,
    maxLeverage: number('maxLeverage'),
    minLiquidationDistance: number('minLiquidationDistance'),
    maxBareMs: number('maxBareMs'),
  };
}

function lossPauseOf(fields: Fields): LossPause {
  return { losses: fields.integer('losses'), forMs: fields.number('forMs') };
}

function rejectPauseOf(fields: Fields): RejectPause {
  return { rejected: fields.integer('rejected'), of: fields.integer('of'), forMs: fields.number('forMs') };
}
