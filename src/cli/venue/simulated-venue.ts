/** Starts the simulated venue on loopback: with tapes or a synthetic market, and with accounts that have keys. */
import type { AssetAmount, Credentials } from '../option-values.js';
import type { Machine } from '../machine.js';
import type { FaultPlanTerms } from '../../model/fault-rule.js';
import { defineMarket, type Market } from '../../model/market.js';
import { assetsOf, catalogueMarket, LISTED_OPTIONS } from '../../venue/catalogue.js';
import { VenueCore } from '../../venue/core/venue-core.js';
import { startVenueServer, type VenueServer } from '../../venue/http/server.js';
import type { TapeSink } from '../../venue/liquidity.js';
import type { MarketDriver } from '../../venue/market-driver.js';
import { createSyntheticMarket } from '../../venue/synthetic/synthetic-market.js';
import { TapePlayer } from '../../venue/tape-player.js';
import { type FillModelName, fillModels } from '../../venue/tape/fill-model.js';
import { QueueModel } from '../../venue/tape/queue-model.js';
import type { Tape } from './tape.js';

export interface SimulatedVenueOptions {
  /** What moves the markets: recorded trades, or synthetic ones of these pairs. */
  readonly source:
    | { readonly kind: 'tape'; readonly tapes: readonly Tape[] }
    | {
        readonly kind: 'synthetic';
        readonly seed: number;
        readonly pairs: readonly string[];
        readonly intensity?: number;
      };
  /** The fill model of orders against a tape; default: `queue`. */
  readonly fill?: FillModelName | undefined;
  /** The port to listen on; 0 takes any free one. */
  readonly port: number;
  readonly speed: number;
  readonly accounts: readonly Credentials[];
  /** Initial cash of each account; default: 100 000 of each quote asset. */
  readonly deposits?: readonly AssetAmount[] | undefined;
  readonly maxLimit?: number | undefined;
  readonly rateLimit?: number | undefined;
  /** The port of the admin door, for tests; 0 takes any free one. `undefined`: no admin door. */
  readonly adminPort?: number | undefined;
  /** The faults between the venue and its clients; default: none. */
  readonly faults?: FaultPlanTerms | undefined;
}

const DEFAULT_CASH = '100000';
/** Initial cash of the insurance fund in each quote asset. */
const INSURANCE = '1000000';

export async function startSimulatedVenue(
  { clock, timers, log }: Pick<Machine, 'clock' | 'timers' | 'log'>,
  options: SimulatedVenueOptions,
): Promise<VenueServer> {
  const { source, accounts } = options;
  const markets =
    source.kind === 'tape' ? source.tapes.map(({ market }) => market) : source.pairs.map(catalogueMarket);
  const [model] = fillModels(options.fill ?? 'queue');
  const listed = LISTED_OPTIONS.map(defineMarket);
  const core = new VenueCore({
    markets: [
      ...markets.map((market) => ({
        market,
        prices: 'index' as const,
        tape:
          source.kind === 'tape'
            ? (_: Market, sink: TapeSink) => new QueueModel({ market, sink, model })
            : undefined,
      })),
      ...listed.map((market) => ({ market })),
    ],
    assets: assetsOf([...markets, ...listed]),
    insurance: Object.fromEntries(markets.map(({ quote }) => [quote, INSURANCE])),
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
    // The constructor of a synthetic market takes a while to make its history; the market then catches up with the
    // current time.
    origin: source.kind === 'tape' ? undefined : Math.max(startTime, clock.wall()),
    timers,
    log,
    speed: options.speed,
    port: options.port,
    accounts: keys,
    maxLimit: options.maxLimit,
    rateLimit: options.rateLimit,
    adminPort: options.adminPort,
    faults: options.faults,
  });
}
