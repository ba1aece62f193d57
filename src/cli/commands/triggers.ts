import { type KeyedOptions, type ListOptions, listQuery, withAccount } from '../settings/venue-access.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { orderJson, orderTable } from '../view/order-view.js';
import { printJson, printText } from '../view/output.js';

/** Lists stop and take-profit orders that wait, and those that the engine refused when they fired. */
export async function triggers(options: KeyedOptions & ListOptions): Promise<ExitCode> {
  const query = listQuery(options);
  const found = await withAccount(options, ({ api }) => api.triggers(query));
  if (options.json === true) await printJson({ triggers: found.map(orderJson) });
  else await printText(found.length === 0 ? 'no triggers' : orderTable(found));
  return EXIT.ok;
}
