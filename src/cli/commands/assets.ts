import { type ReadOptions, withVenue } from '../settings/venue-access.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { printJson, printText } from '../view/output.js';
import { recordJson } from '../view/record-json.js';
import { amount, recordTable, words } from '../view/record-table.js';

export async function assets(options: ReadOptions): Promise<ExitCode> {
  const found = await withVenue(options, ({ api }) => api.assets());
  if (options.json === true) {
    await printJson({ assets: found.map(recordJson) });
    return EXIT.ok;
  }
  await printText(
    recordTable(found, [
      words('ASSET', ({ key }) => key),
      words('NAME', ({ name }) => name),
      words('DIGITS', ({ precision }) => String(precision)),
      words('CONFIRMATIONS', ({ confirmations }) => String(confirmations)),
      words('WITHDRAWABLE', ({ withdrawable }) => (withdrawable ? 'yes' : 'no')),
      amount('LEAST WITHDRAWAL', ({ minWithdrawal }) => minWithdrawal),
      amount('WITHDRAWAL FEE', ({ fees }) => fees?.withdrawal),
      amount('DEPOSIT FEE', ({ fees }) => fees?.deposit),
    ]),
  );
  return EXIT.ok;
}
