import type { Trade } from '../../src/model/trade.js';
import type { WorldFact } from '../../src/model/world-fact.js';
import { CoverageWorld, MARKET, START_TIME } from './coverage-world.js';

const POLL_MS = 1_000;
const PAGE = 1_000;
const DEPTH_LEVELS = 20;

export interface RecordedTape {
  readonly tape: readonly Trade[];
  /** Tickers and depth, stamped when they were here, as the recorder stamps them; ascending. */
  readonly facts: readonly WorldFact[];
  readonly world: CoverageWorld;
}

/** Run A: nobody but the street, and what GET /trades, /ticker and /depth say of it, asked every second. */
export async function recordTape(seed: string, durationMs: number): Promise<RecordedTape> {
  const world = new CoverageWorld(seed);
  const api = world.client();
  const byId = new Map<string, Trade>();
  const facts: WorldFact[] = [];
  let newest = START_TIME;
  let failure: unknown;
  const now = () => START_TIME + Math.floor(world.scheduler.now);
  const noting = (asked: Promise<void>) => {
    asked.catch((error: unknown) => {
      failure ??= error;
    });
  };
  const trades = async () => {
    const page = await api.trades({ pair: MARKET.pair, from: newest, limit: PAGE });
    for (const { id, time, price, quantity, isBuyerMaker } of page) {
      byId.set(id, { id, time, price, quantity, isBuyerMaker });
      newest = Math.max(newest, time);
    }
  };
  const ticker = async () => {
    const seen = await api.ticker(MARKET.pair);
    facts.push({ kind: 'ticker', time: now(), ticker: { ...seen, time: now() } });
  };
  const depth = async () => {
    const { bids, asks } = await api.depth(MARKET.pair, DEPTH_LEVELS);
    const levels = (side: typeof bids) => side.map(({ price, quantity }) => [price, quantity] as const);
    facts.push({ kind: 'depth', time: now(), bids: levels(bids), asks: levels(asks) });
  };
  for (let at = POLL_MS; at <= durationMs + POLL_MS; at += POLL_MS) {
    world.scheduler.at(at, () => {
      noting(trades());
      noting(ticker());
      noting(depth());
    });
  }
  await world.runFor(durationMs + 2 * POLL_MS);
  if (failure !== undefined) throw failure as Error;
  const end = START_TIME + durationMs;
  return {
    tape: [...byId.values()].filter(({ time }) => time >= START_TIME && time < end),
    facts: facts.filter(({ time }) => time < end),
    world,
  };
}
