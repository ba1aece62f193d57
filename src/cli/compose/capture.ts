/** What a capture says about its session, so that another process can compute the decisions again. */
import { join, resolve } from 'node:path';
import type { Limits } from '../../gate/limits.js';
import { UsageError } from '../../model/errors.js';
import type { Lots } from '../../model/grid.js';
import type { Files } from '../../ports/files.js';
import type { CaptureHeader } from '../../storage/capture.js';
import { marketSpecOf } from '../../storage/market-spec.js';
import type { Machine } from '../machine.js';
import { fileStamp } from '../view/moment.js';
import { packageVersion } from './package.js';
import type { SessionPlan } from './session-plan.js';

/** What the engine and the gate were started with besides strategy and market. */
export interface CapturedOptions {
  readonly mode: string;
  readonly seed: string;
  readonly warmUp: boolean;
  readonly funds: number | undefined;
}

export async function captureHeader(
  files: Files,
  { mode, market, strategy, limits, seed }: SessionPlan,
  funds: number | undefined,
): Promise<Omit<CaptureHeader, 'firstInput'>> {
  return {
    engine: await packageVersion(files),
    strategy: {
      name: strategy.bound.name,
      file: resolve(strategy.file),
      sha256: strategy.sha256,
      params: strategy.params,
    },
    market: marketSpecOf(market),
    limits: { ...limits },
    options: { mode, seed, warmUp: true, ...(funds === undefined ? {} : { funds }) },
  };
}

/** A file of its own for each session, in the order of their starts. */
export function capturePath(
  { clock, entropy }: Pick<Machine, 'clock' | 'entropy'>,
  folder: string,
  name: string,
): string {
  const suffix = Buffer.from(entropy.bytes(2)).toString('hex');
  return join(folder, `${fileStamp(clock.wall())}-${name}-${suffix}.ndjson`);
}

/** @throws UsageError when the header does not say what is needed. */
export function capturedOptions({ options }: CaptureHeader): CapturedOptions {
  const { mode, seed, warmUp, funds } = options as Readonly<Record<string, unknown>>;
  if (
    typeof mode !== 'string' ||
    typeof seed !== 'string' ||
    typeof warmUp !== 'boolean' ||
    !(funds === undefined || typeof funds === 'number')
  ) {
    throw new UsageError(
      'TICKWRIGHT_E_CAPTURE',
      `header.options must have mode, seed, warmUp and perhaps funds, received ${JSON.stringify(options)}`,
    );
  }
  return { mode, seed, warmUp, funds };
}

export function capturedLimits({ limits }: CaptureHeader): Limits {
  const { maxPosition, maxOrderQuantity, maxOpenOrders } = limits as Readonly<Record<string, unknown>>;
  return {
    maxPosition: bound('maxPosition', maxPosition) as Lots | undefined,
    maxOrderQuantity: bound('maxOrderQuantity', maxOrderQuantity) as Lots | undefined,
    maxOpenOrders: bound('maxOpenOrders', maxOpenOrders),
  };
}

function bound(name: string, value: unknown): number | undefined {
  if (value === undefined || (typeof value === 'number' && Number.isSafeInteger(value))) return value;
  throw new UsageError(
    'TICKWRIGHT_E_CAPTURE',
    `header.limits.${name} must be a whole number, received ${JSON.stringify(value)}`,
  );
}
