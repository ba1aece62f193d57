/** The assets of a market, as far as the name of the pair tells. */
export interface PairAssets {
  readonly base: string;
  readonly quote: string;
  /** The name tells of no quote asset, and USD is assumed, or it can be read in several ways: SHIBUSD. */
  readonly isAssumed: boolean;
}

/** Longest first: FDUSD is not USD. */
const QUOTES = ['FDUSD', 'USDT', 'USDC', 'BUSD', 'TUSD', 'DAI', 'USD', 'EUR', 'GBP', 'JPY', 'BTC', 'ETH'];
/** Of nearly every asset's name. */
const LEAST_LETTERS = 3;
/** What a market is, at the end of the name of one that is no spot pair. */
const KIND = /[_-](?:PERP|SWAP)$/i;

/** `USD_BTC_PERP`, `BTC_USDT`, `BTC-USDT`, `BTC/USDT` and `BTCUSDT`; anything else is a base asset. */
export function assetsOf(pair: string): PairAssets {
  const assets = pair.replace(KIND, '');
  const [first, second] = assets.split(/[_/-]/).filter((part) => part !== '');
  if (first !== undefined && second !== undefined) {
    // Perpetuals of this venue name the quote asset first, spot pairs the base (`dialect.md` §6); others the base always.
    const isQuoteFirst = assets.split('_').length > (assets === pair ? 2 : 1);
    const [base, quote] = isQuoteFirst ? [second, first] : [first, second];
    return { base, quote, isAssumed: false };
  }
  const name = first ?? pair;
  const fitting = QUOTES.filter((one) => name.length > one.length && name.toUpperCase().endsWith(one));
  // BNBUSD is BNB in USD: few assets have two letters, and OPUSDT can be read in no other way.
  const likely = fitting.filter((one) => name.length - one.length >= LEAST_LETTERS);
  const [quote, ...others] = likely.length > 0 ? likely : fitting;
  if (quote === undefined) return { base: name, quote: 'USD', isAssumed: true };
  const base = name.slice(0, -quote.length);
  return { base, quote: name.slice(base.length), isAssumed: others.length > 0 };
}
