/**
 * The venue of the virtual soak, in a process of its own: what it remembers must not count as the daemon's. Each request
 * comes with the moment at which it arrives, and is answered as of then.
 */
import { defineMarket, type Market } from '../../src/model/market.js';
import { LightStreet } from '../../src/simulation/world/light-street.js';
import { assetsOf, catalogueEntry } from '../../src/venue/catalogue.js';
import { VenueCore } from '../../src/venue/core/venue-core.js';
import { venueApp } from '../../src/venue/http/venue-app.js';
import { Pipe } from './pipe.js';

export interface ChildRequest {
  /** Virtual ms since the start. */
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export const START_TIME = 1_700_000_000_000;
export const ACCOUNT = { key: 'soak-key', secret: 'soak-secret' };
const STREET_MS = 20_000;
const KEPT_TRADES = 5_000;

export function soakMarkets(count: number): readonly Market[] {
  const { spec } = catalogueEntry('USD_BTC_PERP');
  return Array.from({ length: count }, (_, index) =>
    defineMarket({ ...spec, pair: `USD_SOAK${index}_PERP`, base: `SOAK${index}` }),
  );
}

/** `folder`: of the two pipes. */
export function serveParent(pairs: number, folder: string): never {
  const markets = soakMarkets(pairs);
  let now = 0;
  const core = new VenueCore({
    markets: markets.map((market) => ({ market, prices: 'index' as const, keepTrades: KEPT_TRADES })),
    assets: assetsOf(markets),
    insurance: { USD: '1000000' },
  });
  core.openAccount('soak', { USD: '1000000' });
  const startTicks = 600_000;
  const drivers = markets.map(
    (market) =>
      new LightStreet({ core, market, seed: 'soak', startTime: START_TIME, startTicks, everyMs: STREET_MS }),
  );
  const app = venueApp({
    core,
    drivers,
    clock: { wall: () => START_TIME + Math.floor(now), monotonic: () => now },
    accounts: [{ ...ACCOUNT, account: 'soak' }],
  });
  process.send?.('ready');
  const pipe = Pipe.open(folder, 'answers');
  for (;;) {
    const requests = pipe.receive() as readonly ChildRequest[] | undefined;
    if (requests === undefined) process.exit();
    const answers = requests.map(({ at, body, ...request }) => {
      now = Math.max(now, at);
      return app.handle({ ...request, body: Buffer.from(body) });
    });
    pipe.send(answers);
  }
}
