import { type KeyedOptions, withAccount } from '../settings/venue-access.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { balanceTable } from '../view/balance-view.js';
import { printJson, printText } from '../view/output.js';
import { recordJson } from '../view/record-json.js';

export async function balances(options: KeyedOptions): Promise<ExitCode> {
  const found = await withAccount(options, ({ api }) => api.balances());
  if (options.json === true) await printJson({ balances: found.map(recordJson) });
  else await printText(found.length === 0 ? 'no balances' : balanceTable(found));
  return EXIT.ok;
}
