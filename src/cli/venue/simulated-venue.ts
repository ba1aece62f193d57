/** The simulated venue on loopback: tapes or a synthetic market, with accounts that have keys. */
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
  /** What moves the markets: recorded trades, or made-up ones of these pairs. */
  readonly source:
    | { readonly kind: 'tape'; readonly tapes: readonly Tape[] }
    | {
        readonly kind: 'synthetic';
        readonly seed: number;
        readonly pairs: readonly string[];
        readonly intensity?: number;
      };
  /** What fills orders against a tape. Default: `queue`. */
  readonly fill?: FillModelName | undefined;
  /** 0 takes any free port. */
  readonly port: number;
  readonly speed: number;
  readonly accounts: readonly Credentials[];
  /** Cash that each account starts with; default: 100 000 of each quote asset. */
  readonly deposits?: readonly AssetAmount[] | undefined;
  readonly maxLimit?: number | undefined;
  readonly rateLimit?: number | undefined;
  /** Opens the door for tests there; 0 takes any free port. Default: there is none. */
  readonly adminPort?: number | undefined;
  /** What goes wrong between the venue and its clients. */
  readonly faults?: FaultPlanTerms | undefined;
}

const DEFAULT_CASH = '100000';
/** What the insurance fund starts with, of each quote asset. */
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
    // A made-up market has its history made first, which takes a while: it catches up.
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
