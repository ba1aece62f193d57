/**
 * Every field of the specification's records, those of its samples included, and what our venue puts there: a formula,
 * or a constant where the specification describes nothing. Written by hand; the cards named beside it check it.
 */
export interface VenueField {
  readonly name: string;
  readonly what: string;
}

const row = (name: string, what: string): VenueField => ({ name, what });

const ORDER: readonly VenueField[] = [
  row('id', 'whole number as text, ascending with acceptance; a trigger keeps its id when it fires'),
  row('pair', 'as asked'),
  row('price', 'LIMIT: the limit price. MARKET: price of its last fill, 0 before the first'),
  row('price_orig', 'LIMIT: the limit price. MARKET: 0'),
  row('qty_orig', 'as asked; it never changes, reduce-only included'),
  row('qty_orig_usd', 'qty_orig × mark at acceptance × usd_price(quote)'),
  row('qty_remaining', 'qty_orig − qty_filled, in every state'),
  row('qty_filled', 'Σ qty of its fills'),
  row('side', '`BUY` or `SELL`'),
  row(
    'status',
    '`ACTIVE` working · `COMPLETED` filled entirely · `CANCELLED` ended before that, by request or by a rule (`msg`) · in /triggers also `UNTRIGGERED`: waiting',
  ),
  row('time', 'venue ms of its last change: acceptance, trigger, fill or end'),
  row('time_in_force', '`GTC` (default), `FOK`, `IOC`; a MARKET order that names none is `IOC`'),
  row('type', '`MARKET` without a price, else `LIMIT`'),
  row('oco', 'the group, as asked; null without one'),
  row('icebergs', 'number of slices, as asked; null without'),
  row('trigger_price', 'as asked, also after it fired; null without'),
  row(
    'trigger_event',
    '`MARK_PRICE` (default; spot: `LAST_PRICE`), `INDEX_PRICE`, `LAST_PRICE`; null without a trigger price',
  ),
  row('close_on_trigger', 'as asked; implies reduce_only'),
  row('reduce_only', 'as asked, true with close_on_trigger'),
  row('post_only', 'as asked'),
  row('hidden', 'as asked'),
  row('fills', 'its Fill records, each as in /fills'),
  row('leverage', 'as asked, stored and echoed only; 0 without. POST /leverage decides'),
  row('customer_id', 'name of the account'),
  row(
    'is_liquidation',
    'ours: true for orders that the venue made to liquidate, on both sides of a take-over or ADL; the account cannot cancel them',
  ),
  row(
    'msg',
    'ours: why a rule ended it (`post-only would trade`, `FOK cannot fill`, `IOC remainder`, `outside the trading band`, `self-trade`, `nothing to reduce`, `no liquidity`, `oco sibling`, `close on trigger`, `position closed`, `liquidation`), or of a trigger that was refused as it fired: `Order was rejected due to ` and the refusal; absent otherwise',
  ),
];

const FILL: readonly VenueField[] = [
  row('id', 'id of the public trade; both sides have the same. On a tape, a number of its own'),
  row('pair', 'market of the trade'),
  row('side', 'side of this account: `BUY` or `SELL`'),
  row('type', 'type of this account’s order: `LIMIT` or `MARKET`'),
  row('is_buyer_maker', 'true when the resting order was the buy'),
  row('qty', 'quantity of the trade'),
  row('qty_usd', 'qty × price × usd_price(quote)'),
  row('price', 'price of the resting order'),
  row('cost', 'qty × price, exact'),
  row(
    'gross_commission',
    'rate × qty × price, rounded up to a unit of the quote asset; maker or taker rate; a rebate is negative, rounded toward 0. Liquidation: min(commission_liquidation × qty × price rounded up, equity left), take-over and ADL: 0',
  ),
  row(
    'net_commission',
    'gross × (1 − discount), rounded up; it is what is posted. Equal to gross for rebates and liquidations',
  ),
  row('net_commission_usd', 'net_commission × usd_price(quote)'),
  row('gross_commission_asset', 'the quote asset'),
  row('net_commission_asset', 'the quote asset'),
  row(
    'discount',
    'the venue’s commission discount while the account holds a special commission asset, else 0',
  ),
  row('conversion_rate', 'null: fees are always taken in the quote asset'),
  row('liquidation', 'true on both sides of slices, take-overs and ADL'),
  row('time', 'venue ms of the match'),
];

const TRADE: readonly VenueField[] = [
  row('id', 'whole number as text, ascending without holes in a market'),
  row('pair', 'as asked'),
  row('is_buyer_maker', 'true when the resting order was the buy'),
  row('is_best_match', 'true: every trade is at the best price of the book'),
  row('qty', 'quantity that traded'),
  row('price', 'price of the resting order'),
  row('time', 'venue ms of the match'),
];

const TRANSFER: readonly VenueField[] = [
  row('id', 'whole number as text, ascending; deposits and withdrawals count apart'),
  row('customer_id', 'name of the account'),
  row('asset', 'symbol of the asset'),
  row('qty', 'as sent or asked for'),
];

const DEPOSIT: readonly VenueField[] = [
  ...TRANSFER,
  row(
    'address',
    'where it was sent: the account’s deposit address of the asset, unless the test named another',
  ),
  row('time', 'venue ms at which it was seen; crediting does not move it'),
  row('net', 'qty − fees.deposit of the asset: what is credited'),
  row('status', '`PENDING` until it has the asset’s confirmations, then `COMPLETED` and credited'),
  row('qty_usd', 'qty × usd_price(asset) at `time`'),
  row('net_usd', 'net × usd_price(asset) at `time`'),
  row('transaction', 'of the made-up chain'),
  row('transaction.hash', 'as the test named it, else `deposit-` and the id'),
  row('transaction.from', 'as the test named it, else `outside`'),
];

const WITHDRAWAL: readonly VenueField[] = [
  ...TRANSFER,
  row('address', 'as asked'),
  row('time', 'venue ms of the request; the confirmation does not move it'),
  row('net', 'qty − fees.withdrawal of the asset: what leaves'),
  row(
    'status',
    '`PENDING` until the admin door confirms it (the e-mail of a real venue), then `COMPLETED`; a dropped one leaves the list',
  ),
  row('manually_approved', 'false: nobody looks at one before it is confirmed'),
  row('qty_usd', 'qty × usd_price(asset) at `time`'),
  row('transaction', 'of the made-up chain'),
  row('transaction.hash', '`withdrawal-` and the id'),
  row('transaction.from', '`venue`'),
];

const POSITION: readonly VenueField[] = [
  row('size', 's, signed: negative is short; 0 without a position and on spot'),
  row('free', 'margin of the position: M isolated, im(N) = N·(i₀ + rᵢ·N) rounded up in cross'),
  row(
    'locked',
    'Λ, what the pair’s working orders reserve: max(R⁰, R⁺, R⁻) − R⁰ + commission_taker × max(Σ buys, Σ sells)',
  ),
  row('realized', 'Σ realised P&L since the position was last flat, before fees and funding'),
  row('funding', 'Σ funding since then; paid is negative'),
  row(
    'fees',
    'Σ fees since then; paid is negative. A flip’s fee is split by quantity, the closing part rounded up',
  ),
  row('stats', 'the facts below; all 0 on spot, without a position all but `mark`'),
  row('stats.size', '|s|'),
  row('stats.notional', 'N = |s| × mark'),
  row('stats.margin', 'as `free`'),
  row('stats.pnl', 'rpnl + upnl'),
  row('stats.upnl', 'U = s × mark − cost'),
  row('stats.rpnl', 'realized + funding + fees'),
  row('stats.equity', 'margin + upnl'),
  row('stats.roe', 'pnl / (k / L) isolated, pnl / im(k) cross; k = |cost|'),
  row(
    'stats.mark',
    'the mark price, 0 before the first; in /completed_positions the price of the fill that closed it',
  ),
  row('stats.avg_entry', 'cost / s, never stored'),
  row('stats.leverage', 'N / equity, 0 unless equity > 0; in /completed_positions L, 0 in cross'),
  row('stats.lp', 'price at which equity = maintenance margin, on the tick toward the mark; 0 for none'),
  row('stats.bankrupt', 'price at which equity = 0, on the tick toward solvency; 0 for none'),
  row('stats.direction', '`SELL` for a short, else `BUY`; in /completed_positions of what it was'),
];

const BALANCE: readonly VenueField[] = [
  row('free', 'W + ΣM − locked − margin = max(0, A): what may be withdrawn or used for orders'),
  row('locked', 'min(ΣΛ, max(0, W)): moved by working orders, spot orders included'),
  row('withdrawn', 'D: pending withdrawals; moved by POST /auth/withdraw, its confirmation and its drop'),
  row('pnl', 'Σ realised P&L of all positions; moved by closing fills'),
  row(
    'margin',
    'ΣM + min(Σ im(N) of cross + max(0, −ΣU), W − locked): moved by fills, the mark, POST /leverage, /fund and /draw; negative only if W is',
  ),
  row(
    'fees',
    'Σ fees paid since the account was opened, paid positive: commissions, liquidation, deposits and withdrawals',
  ),
];

const UNUSED = '0: no rule of this venue uses it';
const MARKET: readonly VenueField[] = [
  row('key', 'the pair; perpetuals and options quote first, spot base first'),
  row('base', 'base asset'),
  row('quote', 'quote asset: margin, P&L and fees are in it'),
  row('base_precision', 'digits of filters.qty.tick_size'),
  row('quote_precision', 'digits of a unit of the quote asset'),
  row('base_display_precision', 'as base_precision'),
  row('quote_display_precision', 'digits of filters.price.tick_size'),
  row('qty_display_precision', 'as base_precision'),
  row('precision_asset', 'the quote asset'),
  row('tv_price_precision', 'digits of the tick'),
  row('tv_volume_precicion', 'digits of the quantity step; the declared spelling'),
  row('tv_volume_precision', 'the same in the spelling of the sample'),
  row('symbol', '`BTCUSD PERP`, `BTC/USD` (spot), `BTCUSD CALL` (option)'),
  row('description', 'one line made of the assets and the contract'),
  row('introduction', 'empty text'),
  row('website', 'empty text'),
  row('explorer', 'empty text'),
  row('subreddit', 'empty text'),
  row('url', 'empty text'),
  row('issue_price', UNUSED),
  row('issue_time', UNUSED),
  row('total_supply', UNUSED),
  row('category', '`crypto`'),
  row('contract', '`PERPETUAL`, `SPOT` or `OPTION`'),
  row('usd_price', 'last price; 0 before the first trade'),
  row('order_types', '`LIMIT` and `MARKET`'),
  row('commission_maker', 'fraction of the notional; negative is a rebate'),
  row('commission_taker', 'fraction of the notional'),
  row('commission_liquidation', 'fraction of the notional of a liquidation slice'),
  row('min_initial_margin', 'i₀; 0 on spot'),
  row('min_maintenace_margin', 'm₀, the declared spelling; 0 on spot'),
  row('min_maintenance_margin', 'm₀, the spelling of the sample'),
  row('initial_risk_limit', 'rᵢ, per USD of notional: im(N) = N·(i₀ + rᵢ·N)'),
  row('maintenance_risk_limit', 'rₘ, per USD of notional: mm(N) = N·(m₀ + rₘ·N)'),
  row(
    'deleverage_threshold',
    'equity as a share of the maintenance margin that a take-over leaves the provider; 0',
  ),
  row('swap_threshold', 'at or below this share of the maintenance margin the provider takes over'),
  row('min_liquidate', 'below this notional a position is liquidated whole'),
  row(
    'liquidate_threshold',
    'share of the present position that one slice liquidates, rounded up to the step',
  ),
  row('funding_threshold', 'no funding while |rate| is below it; 0'),
  row('funding_interval', 'ms; funding is due at each multiple of it'),
  row('funding_time_window', 'ms: rate = mean premium × funding_interval / funding_time_window'),
  row('funding_min', 'least rate'),
  row('funding_max', 'greatest rate'),
  row('fair_qty', 'quantity over which the impact prices are taken; no fair price while a side shows less'),
  row('fair_multiplier', 'how far an impact price may lie from the best price, as a fraction'),
  row(
    'insurance_percentage',
    'share of the liquidation fee that goes to the insurance fund, as a fraction: 1 is all',
  ),
  row('index_price_update_interval', 'ms between updates of index, fair price and mark'),
  row('index_price_exclude_threshold', UNUSED),
  row('mark_price_max_deviation', 'the mark stays inside index × (1 ± this)'),
  row('mark_price_ema_range', 'n: the average of fair − index moves 2/(n + 1) of the way at each update'),
  row('trading_ema_range', UNUSED),
  row('trading_max_index_deviation', UNUSED),
  row(
    'trading_max_mark_deviation',
    'half the trading band: limits lie inside mark × (1 ± this), rounded inward; the band now is min_price and max_price of /ticker',
  ),
  row('index_price_hit_api', 'false: the index is not fetched from anywhere'),
  row('composite', 'false'),
  row('use_ema', 'false'),
  row('call', 'true for the option, else false'),
  row('index_price_ema_range', UNUSED),
  row('price_multiplier', '1 for the option, else 0'),
  row('underlier', 'base asset of the option, else empty'),
  row('status', '`TRADING` · `HALTED` by the admin door, and options always · `ENDED` when a tape is over'),
  row('active', 'true while status is `TRADING`'),
  row('filters', 'the four below'),
  row('filters.price', '`PRICE_FILTER`: min_price, max_price, tick_size of prices and trigger prices'),
  row('filters.qty', '`LOT_SIZE`: min_qty, max_qty, tick_size of quantities'),
  row('filters.icebergs', '`ICEBERG`: bounds and step of one slice'),
  row('filters.interest', '`INTEREST`: bounds of |position + working orders of a side|'),
];

const ASSET: readonly VenueField[] = [
  row('key', 'symbol'),
  row('name', 'from the catalogue'),
  row('description', 'from the catalogue'),
  row('precision', 'digits of its smallest unit'),
  row('display_precision', 'from the catalogue'),
  row('confirmations', 'needed before a deposit is credited'),
  row('platform', 'from the catalogue'),
  row('is_token', 'from the catalogue'),
  row('withdrawable', 'whether POST /auth/withdraw takes it'),
  row('min_withdrawal', 'least quantity of a withdrawal'),
  row('is_special_commission_asset', 'true: holding any of it gives the venue’s commission discount'),
  row('stablecoin', 'from the catalogue'),
  row('fees', 'fixed amounts of the asset'),
  row('fees.withdrawal', 'taken out of each withdrawal'),
  row('fees.deposit', 'taken out of each deposit'),
  row('filters', 'the two below'),
  row('filters.qty', '`LOT_SIZE`: 10^−precision to 10⁹, step 10^−precision'),
  row(
    'filters.price',
    '`PRICE_FILTER`: the same bounds under min_price, max_price and, as in the sample, min_qty, max_qty',
  ),
  row('usd_price', 'mark of the first market that trades it against USD, else the catalogue’s; USD: 1'),
];

/** By the record's name as cards write it. */
export const VENUE_FIELDS = {
  Order: ORDER,
  Fill: FILL,
  Trade: TRADE,
  Deposit: DEPOSIT,
  Withdrawal: WITHDRAWAL,
  Position: POSITION,
  Balance: BALANCE,
  Market: MARKET,
  Asset: ASSET,
} as const satisfies Readonly<Record<string, readonly VenueField[]>>;
