import type { TradeRecord } from '../../model/venue-records.js';
import { withConnection } from '../compose/connection.js';
import { chooseMarket } from '../compose/pair.js';
import { readSettings } from '../compose/settings.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { thisMachine } from '../machine.js';
import { decimalText } from '../view/decimal-text.js';
import { momentText, parseMoment } from '../view/moment.js';
import { printJson, printText } from '../view/output.js';
import { table } from '../view/table.js';

export interface TradesOptions {
  readonly venue?: string | undefined;
  readonly pair?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly limit: number;
  readonly config?: string | undefined;
  readonly json?: true | undefined;
}

export async function trades(options: TradesOptions): Promise<ExitCode> {
  const machine = thisMachine();
  const settings = await readSettings(machine, options.config);
  const query = {
    limit: options.limit,
    ...(options.from === undefined ? {} : { from: parseMoment(options.from, '--from') }),
    ...(options.to === undefined ? {} : { to: parseMoment(options.to, '--to') }),
  };
  const { pair, found } = await withConnection(machine, settings.venue(options.venue), async ({ api }) => {
    const market = await chooseMarket(api, options.pair ?? settings.pair);
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
