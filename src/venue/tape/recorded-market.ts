import type { DecimalSource } from '../../model/decimal.js';
import type { Market } from '../../model/market.js';
import type { Account, Holding } from '../core/account.js';
import type { Matcher, TakerWindows } from '../core/matcher.js';
import { VenueCore } from '../core/venue-core.js';
import type { TapeLiquidity, TapeSink } from '../liquidity.js';
import { CommandDesk } from './command-desk.js';
import { type CommandDelay, commandDelay, type Latency } from './command-delay.js';
import type { FillModel } from './fill-model.js';
import { MarginBounds } from './margin-bounds.js';
import { SentCommands } from './sent-commands.js';

/** What a venue of one account is given, whatever its market was recorded as. */
export interface RecordedVenueOptions {
  readonly market: Market;
  /** Cash of the quote asset at the start. */
  readonly deposit: DecimalSource;
  /** Default 50 ms each and no jitter; 0 is allowed. A function: as it was measured, command by command. */
  readonly latency?: Partial<Latency> | CommandDelay | undefined;
  /** Of the jitter. Default 1. */
  readonly seed?: string | undefined;
  readonly model?: FillModel | undefined;
  /** How much worse than what was recorded takers trade, in ticks of the price filter. Default 0. */
  readonly slippageTicks?: number | undefined;
}

/** What such a venue is made of. */
export interface RecordedMarket<Liquidity> {
  readonly core: VenueCore;
  readonly account: Account;
  readonly holding: Holding;
  readonly matcher: Matcher;
  readonly liquidity: Liquidity;
  /** Of the account; anew with each of its fills. */
  readonly margin: MarginBounds;
  readonly desk: CommandDesk;
  readonly commands: SentCommands;
}

/** One account on one market whose other side is a recording. */
export function recordedMarket<Liquidity extends TapeLiquidity>(
  { market, deposit, latency, seed = '1' }: RecordedVenueOptions,
  rules: {
    readonly liquidity: (sink: TapeSink) => Liquidity;
    readonly historyLimit: number;
    readonly takerWindows?: Partial<TakerWindows> | undefined;
    readonly band?: DecimalSource | undefined;
  },
): RecordedMarket<Liquidity> {
  const { historyLimit, takerWindows, band } = rules;
  // Made by the core while it is itself made.
  let liquidity!: Liquidity;
  const tape = (_: Market, sink: TapeSink) => {
    liquidity = rules.liquidity(sink);
    return liquidity;
  };
  const core = new VenueCore({
    markets: [{ market, tape, band, keepTrades: 0 }],
    historyLimit,
    takerWindows,
  });
  const account = core.openAccount('client', { [market.quote]: deposit });
  const holding = core.holding(account, market.pair);
  const margin = new MarginBounds(market);
  core.onFill((order) => {
    if (order.account === account) margin.set(holding);
  });
  return {
    core,
    account,
    holding,
    matcher: core.matcher(market.pair),
    liquidity,
    margin,
    desk: new CommandDesk(core, account, holding),
    commands: new SentCommands(market.pair, commandDelay(latency, seed)),
  };
}
