import type { PersonalRecord } from '../../model/venue-records.js';
import { type KeyedOptions, withAccount } from '../settings/venue-access.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { balanceTable } from '../view/balance-view.js';
import { decimalText } from '../view/decimal-text.js';
import { printJson, printText } from '../view/output.js';
import { recordJson } from '../view/record-json.js';
import { factLines } from '../view/record-table.js';

/** Shows whose account the key belongs to, what the key may do, where deposits go, and the balances. */
export async function account(options: KeyedOptions): Promise<ExitCode> {
  const personal = await withAccount(options, ({ api }) => api.personal());
  if (options.json === true) await printJson({ account: recordJson(personal) });
  else await printText(text(personal));
  return EXIT.ok;
}

function text(personal: PersonalRecord): string {
  const { email, verificationLevel, withdrawalAllowance, depositAddresses, actions, permissions } = personal;
  const yes = (flags: ReadonlyMap<string, boolean>) =>
    [...flags]
      .filter(([, value]) => value)
      .map(([name]) => name)
      .join(', ');
  const facts = factLines([
    ['email', email],
    ['verification level', verificationLevel?.toString()],
    [
      'withdrawal allowance',
      withdrawalAllowance === undefined ? undefined : `${decimalText(withdrawalAllowance)} USD`,
    ],
    ['the account may', yes(actions)],
    ['the key may', yes(permissions)],
    ...[...depositAddresses].map(([asset, address]) => [`${asset} deposits to`, address] as const),
  ]);
  const parts = [facts, personal.balances.length === 0 ? '' : balanceTable(personal.balances)];
  return parts.filter((part) => part !== '').join('\n\n') || 'the venue says nothing about this account';
}
