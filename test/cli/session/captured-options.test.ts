import { describe, expect, it } from 'vitest';
import {
  captureHeader,
  capturedLimits,
  capturedOptions,
  type CapturedPlan,
} from '../../../src/cli/session/capture.js';
import type { SessionPlan } from '../../../src/cli/session/session-plan.js';
import type { LiveBeginning } from '../../../src/runner/live-session.js';
import { type Limits, NO_LIMITS } from '../../../src/gate/limits.js';
import type { Lots } from '../../../src/model/grid.js';
import { nodeFiles } from '../../../src/platform/files.js';
import type { CaptureHeader } from '../../../src/storage/capture/capture.js';
import { BTC } from '../../support/markets.js';

const every: Limits = {
  maxPosition: 50 as Lots,
  maxOrderQuantity: 20 as Lots,
  maxOpenOrders: 20,
  maxOrderNotional: 1_500.5,
  priceCollar: 0.02,
  maxOrdersPerMinute: 60,
  maxOrdersPerHour: 600,
  maxCancelsPerMinute: 90,
  minRepeatMs: 250,
  rejectPause: { rejected: 5, of: 10, forMs: 60_000 },
  maxGrossNotional: 5_000,
  maxDailyLoss: 200,
  maxDrawdown: 500.5,
  lossPause: { losses: 5, forMs: 3_600_000 },
  maxLeverage: 2.5,
  minLiquidationDistance: 0.1,
  maxBareMs: 30_000,
};

const POLLED = { trades: 1_000, position: 1_000, orders: 1_000 };

/** What another process reads of a session's header. */
async function readBack(
  plan: Partial<SessionPlan & Pick<LiveBeginning, 'sent'>>,
  cash: Parameters<typeof captureHeader>[2],
): Promise<CaptureHeader> {
  const strategy = { bound: { name: 's' }, file: 's.ts', sha256: 'ab', params: {} };
  const whole = { mode: 'live', market: BTC, limits: NO_LIMITS, seed: '7', every: POLLED, strategy, ...plan };
  const header = await captureHeader(nodeFiles, whole as unknown as CapturedPlan, cash);
  return JSON.parse(JSON.stringify({ ...header, firstInput: 1 })) as CaptureHeader;
}

describe('the header of a capture', () => {
  it('says where positions come from, and of one that does not, that they were polled', async () => {
    const polled = await readBack({}, {});
    expect(polled.options).not.toHaveProperty('positions');
    expect(capturedOptions(polled).positions).toBe('told');
    const { position: _, ...every } = POLLED;
    expect(capturedOptions(await readBack({ every }, {})).positions).toBe('own');
  });

  it('gives back every limit as it was', async () => {
    expect(capturedLimits(await readBack({ limits: every }, {}))).toEqual(every);
    expect(capturedLimits(await readBack({ limits: NO_LIMITS }, {}))).toEqual(NO_LIMITS);
  });

  it('gives back what earlier sessions left, the cash, and what is done in doubt', async () => {
    const memory = { peak: '10100', fell: false, losses: 2, pausedUntil: 5 };
    const baseline = { day: '2026-01-05', equity: '10000.25', tripped: true, memory };
    const reserves = [
      { intentId: undefined, side: 'buy', lots: 3 as Lots, until: 600_000 },
      { intentId: 4, side: 'sell', lots: 1 as Lots, until: 700_000 },
    ] as const;
    const sent = [
      { sentAt: 17, side: 'buy' as const, reduceOnly: false },
      { sentAt: 18, side: 'sell' as const, reduceOnly: true },
    ];
    const header = await readBack(
      { baseline, reserves, sent, onDoubt: 'hold' },
      { funds: 950, wealth: 1_000 },
    );
    expect(capturedOptions(header)).toEqual({
      mode: 'live',
      positions: 'told',
      seed: '7',
      warmUp: true,
      funds: 950,
      wealth: 1_000,
      onDoubt: 'hold',
      baseline,
      reserves,
      sent,
    });
  });

  it('of a session from before there were such options means none of them', () => {
    const options = { mode: 'live', seed: '1', warmUp: true };
    expect(capturedOptions({ options } as unknown as CaptureHeader)).toEqual({
      ...options,
      positions: 'told',
      funds: undefined,
      wealth: undefined,
      onDoubt: 'cancel',
      baseline: undefined,
      reserves: [],
      sent: [],
    });
  });

  it('that was changed is refused by the name of its field', () => {
    const header = (limits: object) => ({ limits }) as unknown as CaptureHeader;
    expect(() => capturedLimits(header({ maxOpenOrders: 1.5 }))).toThrow('header.limits.maxOpenOrders');
    expect(() => capturedLimits(header({ rejectPause: 5 }))).toThrow('header.limits.rejectPause');
  });
});
