import type { Trade } from '../../src/model/trade.js';
import { CoverageWorld, MARKET, START_TIME } from './coverage-world.js';

const POLL_MS = 1_000;
const PAGE = 1_000;

export interface RecordedTape {
  readonly tape: readonly Trade[];
  readonly world: CoverageWorld;
}

/** Run A: nobody but the street; what GET /trades says of it, asked for over the network every second. */
export async function recordTape(seed: string, durationMs: number): Promise<RecordedTape> {
  const world = new CoverageWorld(seed);
  const tape = await recorded(world, durationMs);
  return { tape, world };
}

async function recorded(world: CoverageWorld, durationMs: number): Promise<readonly Trade[]> {
  const api = world.client();
  const byId = new Map<string, Trade>();
  let newest = START_TIME;
  let failure: unknown;
  const poll = () => {
    api.trades({ pair: MARKET.pair, from: newest, limit: PAGE }).then(
      (page) => {
        for (const { id, time, price, quantity, isBuyerMaker } of page) {
          byId.set(id, { id, time, price, quantity, isBuyerMaker });
          newest = Math.max(newest, time);
        }
      },
      (error: unknown) => {
        failure ??= error;
      },
    );
  };
  for (let at = POLL_MS; at <= durationMs + POLL_MS; at += POLL_MS) world.scheduler.at(at, poll);
  await world.runFor(durationMs + 2 * POLL_MS);
  if (failure !== undefined) throw failure as Error;
  return [...byId.values()].filter(({ time }) => time >= START_TIME && time < START_TIME + durationMs);
}
