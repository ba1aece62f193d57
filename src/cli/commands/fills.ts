import { type KeyedOptions, type ListOptions, listQuery, withAccount } from '../settings/venue-access.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { printJson, printText } from '../view/output.js';
import { recordJson } from '../view/record-json.js';
import { amount, moment, recordTable, words } from '../view/record-table.js';

export async function fills(options: KeyedOptions & ListOptions): Promise<ExitCode> {
  const query = listQuery(options);
  const found = await withAccount(options, ({ api }) => api.fills(query));
  if (options.json === true) {
    await printJson({ fills: found.map(recordJson) });
    return EXIT.ok;
  }
  await printText(
    found.length === 0
      ? 'no fills'
      : recordTable(found, [
          moment('TIME', ({ time }) => time),
          words('PAIR', ({ pair }) => pair),
          words('SIDE', ({ side }) => side),
          amount('PRICE', ({ price }) => price),
          amount('QUANTITY', ({ quantity }) => quantity),
          words('LIQUIDITY', ({ side, isBuyerMaker }) =>
            side === undefined ? undefined : (side === 'buy') === isBuyerMaker ? 'maker' : 'taker',
          ),
          amount('FEE', ({ netCommission }) => netCommission),
          words('', ({ liquidation }) => (liquidation ? 'liquidation' : undefined)),
          { head: 'ID', align: 'right', text: ({ id }) => id },
        ]),
  );
  return EXIT.ok;
}
