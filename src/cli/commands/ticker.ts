import type { TickerRecord } from '../../model/venue-records.js';
import { UsageError } from '../../model/errors.js';
import { type ReadOptions, withVenue } from '../settings/venue-access.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { decimalText } from '../view/decimal-text.js';
import { momentText } from '../view/moment.js';
import { printJson, printText } from '../view/output.js';
import { recordJson } from '../view/record-json.js';
import { amount, factLines, recordTable, words } from '../view/record-table.js';

export interface TickerOptions extends ReadOptions {
  readonly pair?: string | undefined;
}

/** Shows the ticker of one market, or of all. */
export async function ticker(options: TickerOptions): Promise<ExitCode> {
  const { pair } = options;
  const found = await withVenue(options, ({ api }) => api.tickers(pair));
  const tickers = [...found.values()].filter((record) => pair === undefined || record.pair === pair);
  const [only] = tickers;
  if (pair !== undefined && only === undefined) {
    throw new UsageError('TICKWRIGHT_E_PAIR', `--pair must be a market of the venue, received ${pair}`);
  }
  if (options.json === true) await printJson({ tickers: tickers.map(recordJson) });
  else await printText(pair !== undefined && only !== undefined ? facts(only) : tickerTable(tickers));
  return EXIT.ok;
}

function tickerTable(tickers: readonly TickerRecord[]): string {
  return recordTable(tickers, [
    words('PAIR', ({ pair }) => pair),
    amount('LAST', ({ lastPrice }) => lastPrice),
    amount('BID', ({ bidPrice }) => bidPrice),
    amount('ASK', ({ askPrice }) => askPrice),
    amount('MARK', ({ markPrice }) => markPrice),
    amount('INDEX', ({ indexPrice }) => indexPrice),
    amount('FUNDING RATE', ({ fundingRate }) => fundingRate),
    amount('24H VOLUME', ({ baseVolume }) => baseVolume),
  ]);
}

function facts(record: TickerRecord): string {
  const text = (value: number | undefined) => (value === undefined ? undefined : decimalText(value));
  const at = (price: number | undefined, quantity: number | undefined) =>
    price === undefined
      ? undefined
      : `${decimalText(price)}${quantity === undefined ? '' : ` × ${decimalText(quantity)}`}`;
  const { minPrice, maxPrice, nextFundingTime } = record;
  return factLines([
    ['pair', record.pair],
    ['last', at(record.lastPrice, record.lastQuantity)],
    ['bid', at(record.bidPrice, record.bidQuantity)],
    ['ask', at(record.askPrice, record.askQuantity)],
    ['mark', text(record.markPrice)],
    ['index', text(record.indexPrice)],
    ['fair', text(record.fairPrice)],
    [
      'trading band',
      minPrice === undefined || maxPrice === undefined
        ? undefined
        : `${decimalText(minPrice)} to ${decimalText(maxPrice)}`,
    ],
    ['24h open', text(record.openPrice)],
    ['24h high', text(record.highPrice)],
    ['24h low', text(record.lowPrice)],
    ['24h change', text(record.priceChange)],
    ['24h volume', text(record.baseVolume)],
    ['24h turnover', text(record.quoteVolume)],
    ['volatility', text(record.volatility)],
    ['funding rate', text(record.fundingRate)],
    ['next funding', nextFundingTime === undefined ? undefined : momentText(nextFundingTime)],
  ]);
}
