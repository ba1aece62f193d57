import type { DecimalSource } from '../../model/decimal.js';
import type { Market } from '../../model/market.js';
import type { Account, Holding } from '../core/account.js';
import type { Matcher, TakerWindows } from '../core/matcher.js';
import { VenueCore } from '../core/venue-core.js';
import type { TapeLiquidity, TapeSink } from '../liquidity.js';
import { AccountSquare } from './account-square.js';
import { CommandDesk } from './command-desk.js';
import { type CommandDelay, commandDelay, type Latency } from './command-delay.js';
import type { FillModel } from './fill-model.js';
import { AccountMargins, type MarginBounds } from './margin-bounds.js';
import { SentCommands } from './sent-commands.js';

/** Options of a venue with one account, for recordings of trades and of bars. */
export interface RecordedVenueOptions {
  readonly market: Market;
  /** Cash of the quote asset at the start. */
  readonly deposit: DecimalSource;
  /** Default 50 ms each without jitter; 0 is allowed. A function gives measured delays, command by command. */
  readonly latency?: Partial<Latency> | CommandDelay | undefined;
  /** Seed of the jitter. Default 1. */
  readonly seed?: string | undefined;
  readonly model?: FillModel | undefined;
  /** How much worse than the recorded price takers trade, in ticks of the price filter. Default 0. */
  readonly slippageTicks?: number | undefined;
}

/** The parts of such a venue. */
export interface RecordedMarket<Liquidity> {
  readonly core: VenueCore;
  readonly account: Account;
  readonly holding: Holding;
  readonly matcher: Matcher;
  readonly liquidity: Liquidity;
  /** Margin bounds of the account on this market. */
  readonly margin: MarginBounds;
  /** Margin bounds of the account on all of its markets; renewed with each of its fills. */
  readonly margins: AccountMargins;
  readonly square: AccountSquare;
  readonly desk: CommandDesk;
  readonly commands: SentCommands;
}

/** Options of one market of such a venue that depend on the kind of its recording. */
export interface RecordedRules<Liquidity> {
  readonly liquidity: (sink: TapeSink) => Liquidity;
  readonly historyLimit: number;
  readonly takerWindows?: Partial<TakerWindows> | undefined;
  readonly band?: DecimalSource | undefined;
}

/** Makes one account on one market whose counterparty is a recording. */
export function recordedMarket<Liquidity extends TapeLiquidity>(
  options: RecordedVenueOptions,
  rules: RecordedRules<Liquidity>,
): RecordedMarket<Liquidity> {
  const { historyLimit, takerWindows } = rules;
  const core = { historyLimit, takerWindows };
  return recordedMarkets(options.deposit, [{ options, rules }], core)[0] as RecordedMarket<Liquidity>;
}

/** Makes one account on several markets of one quote asset, with one deposit that all markets share. */
export function recordedMarkets<Liquidity extends TapeLiquidity>(
  deposit: DecimalSource,
  parts: readonly {
    readonly options: Omit<RecordedVenueOptions, 'deposit'>;
    readonly rules: Pick<RecordedRules<Liquidity>, 'liquidity' | 'band'>;
  }[],
  { historyLimit, takerWindows }: Pick<RecordedRules<Liquidity>, 'historyLimit' | 'takerWindows'>,
): RecordedMarket<Liquidity>[] {
  // Filled while the core is being constructed, which makes the liquidity of each market.
  const made = new Map<string, Liquidity>();
  const core = new VenueCore({
    markets: parts.map(({ options: { market }, rules: { liquidity, band } }) => ({
      market,
      band,
      keepTrades: 0,
      tape: (_: Market, sink: TapeSink) => {
        const street = liquidity(sink);
        made.set(market.pair, street);
        return street;
      },
    })),
    historyLimit,
    takerWindows,
  });
  const [first] = parts;
  const account = core.openAccount(
    'client',
    first === undefined ? {} : { [first.options.market.quote]: deposit },
  );
  const holdings = parts.map(({ options: { market } }) => core.holding(account, market.pair));
  const margins = new AccountMargins();
  const bounds = holdings.map((holding) => margins.add(holding));
  const square = new AccountSquare((holdings[0] as Holding).cash);
  return parts.map(({ options: { market, latency, seed = '1' } }, at) => {
    const holding = holdings[at] as Holding;
    return {
      core,
      account,
      holding,
      matcher: core.matcher(market.pair),
      liquidity: made.get(market.pair) as Liquidity,
      margin: bounds[at] as MarginBounds,
      margins,
      square,
      desk: new CommandDesk(core, account, { holding, margins, square }),
      commands: new SentCommands(market.pair, commandDelay(latency, seed)),
    };
  });
}
