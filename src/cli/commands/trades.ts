import type { TradeRecord } from '../../model/venue-records.js';
import { chooseConfigured } from '../settings/pair.js';
import { type ListOptions, listQuery, type ReadOptions, withVenue } from '../settings/venue-access.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { decimalText } from '../view/decimal-text.js';
import { momentText } from '../view/moment.js';
import { printJson, printText } from '../view/output.js';
import { table } from '../view/table.js';

/** About one screen. */
const USUAL_LIMIT = 20;

export async function trades(options: ReadOptions & ListOptions): Promise<ExitCode> {
  const query = listQuery({ ...options, limit: options.limit ?? USUAL_LIMIT });
  const { pair, found } = await withVenue(options, async ({ api, settings }) => {
    const market = await chooseConfigured(api, settings, options.pair);
    return { pair: market.pair, found: await api.trades({ ...query, pair: market.pair }) };
  });
  if (options.json === true) await printJson({ pair, trades: found.map(tradeJson) });
  else await printText(tradeTable(found));
  return EXIT.ok;
}

function tradeJson({ id, time, price, quantity, isBuyerMaker }: TradeRecord) {
  return { id, time, price: decimalText(price), quantity: decimalText(quantity), isBuyerMaker };
}

function tradeTable(found: readonly TradeRecord[]): string {
  const rows = found.map(({ id, time, price, quantity, isBuyerMaker }) => [
    momentText(time),
    decimalText(price),
    decimalText(quantity),
    isBuyerMaker ? 'sell' : 'buy',
    id,
  ]);
  return table(['TIME', 'PRICE', 'QUANTITY', 'AGGRESSOR', 'ID'], rows, [
    'left',
    'right',
    'right',
    'left',
    'right',
  ]);
}
