import { type KeyedOptions, type ListOptions, listQuery, withAccount } from '../settings/venue-access.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { printJson, printText } from '../view/output.js';
import { recordJson } from '../view/record-json.js';
import { transferTable } from '../view/transfer-view.js';

export async function withdrawals(options: KeyedOptions & Omit<ListOptions, 'pair'>): Promise<ExitCode> {
  const query = listQuery(options);
  const found = await withAccount(options, ({ api }) => api.withdrawals(query));
  if (options.json === true) await printJson({ withdrawals: found.map(recordJson) });
  else await printText(found.length === 0 ? 'no withdrawals' : transferTable(found));
  return EXIT.ok;
}
