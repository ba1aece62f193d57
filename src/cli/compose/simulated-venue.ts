/** The simulated venue on loopback: tapes or a synthetic market, with accounts that have keys. */
import type { AssetAmount, Credentials } from '../option-values.js';
import type { Machine } from '../machine.js';
import type { Market } from '../../model/market.js';
import type { AssetRecord } from '../../model/venue-records.js';
import { catalogueMarket, ASSETS } from '../../venue/catalogue.js';
import { VenueCore } from '../../venue/core/venue-core.js';
import { startVenueServer, type VenueServer } from '../../venue/http/server.js';
import type { MarketDriver } from '../../venue/market-driver.js';
import { createSyntheticMarket } from '../../venue/synthetic/synthetic-market.js';
import { TapePlayer } from '../../venue/tape-player.js';
import { QueueModel } from '../../venue/tape/queue-model.js';
import type { Tape } from './tape.js';

export interface SimulatedVenueOptions {
  /** What moves the markets: recorded trades, or made-up ones of these pairs. */
  readonly source:
    | { readonly kind: 'tape'; readonly tapes: readonly Tape[] }
    | {
        readonly kind: 'synthetic';
        readonly seed: number;
        readonly pairs: readonly string[];
        readonly intensity?: number;
      };
  /** 0 takes any free port. */
  readonly port: number;
  readonly speed: number;
  readonly accounts: readonly Credentials[];
  /** Cash that each account starts with; default: 100 000 of each quote asset. */
  readonly deposits?: readonly AssetAmount[] | undefined;
  readonly maxLimit?: number | undefined;
  readonly rateLimit?: number | undefined;
}

const DEFAULT_CASH = '100000';

export async function startSimulatedVenue(
  { clock, timers, log }: Pick<Machine, 'clock' | 'timers' | 'log'>,
  options: SimulatedVenueOptions,
): Promise<VenueServer> {
  const { source, accounts } = options;
  const markets =
    source.kind === 'tape' ? source.tapes.map(({ market }) => market) : source.pairs.map(catalogueMarket);
  const core = new VenueCore({
    markets: markets.map((market) => ({
      market,
      tape: source.kind === 'tape' ? (_, sink) => new QueueModel({ market, sink }) : undefined,
    })),
  });
  const deposits = options.deposits ?? markets.map(({ quote }) => ({ asset: quote, amount: DEFAULT_CASH }));
  const cash = Object.fromEntries(deposits.map(({ asset, amount }) => [asset, amount]));
  const keys = accounts.map(({ key, secret }, index) => {
    const account = `account-${index + 1}`;
    core.openAccount(account, cash);
    return { key, secret, account };
  });
  const startTime = clock.wall();
  const drivers: readonly MarketDriver[] =
    source.kind === 'tape'
      ? source.tapes.map(({ market, trades }) => new TapePlayer(core, market.pair, trades))
      : markets.map((market) =>
          createSyntheticMarket({ core, market, seed: source.seed, startTime, intensity: source.intensity }),
        );
  return startVenueServer({
    core,
    drivers,
    clock,
    timers,
    log,
    speed: options.speed,
    port: options.port,
    assets: assetsOf(markets),
    accounts: keys,
    maxLimit: options.maxLimit,
    rateLimit: options.rateLimit,
  });
}

/** The known assets that these markets trade and settle in. */
function assetsOf(markets: readonly Market[]): readonly AssetRecord[] {
  const keys = new Set(markets.flatMap(({ base, quote }) => [base, quote]));
  return ASSETS.filter(({ key }) => keys.has(key));
}
