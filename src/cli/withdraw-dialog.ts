/** The dialog that may end in a withdrawal. Only its own entry point loads it. */
import type { WithdrawClient } from '../client/withdraw.js';
import { Decimal, parseDecimal, plain } from '../model/decimal.js';
import { UsageError } from '../model/errors.js';
import type { AssetRecord, WithdrawalRecord } from '../model/venue-records.js';
import type { Person } from './order/consent.js';
import { EXIT, type ExitCode } from './exit-code.js';
import { isKeyRefusal } from './report-error.js';
import { decimalText } from './view/decimal-text.js';
import { printable } from './view/printable.js';
import { factLines } from './view/record-table.js';
import { transferTable } from './view/transfer-view.js';

export interface WithdrawDialogOptions {
  readonly client: WithdrawClient;
  readonly url: string;
  readonly asset: string;
  readonly quantity: string;
  readonly person: Pick<Person, 'ask'>;
  /** Prints a line. */
  readonly tell: (text: string) => Promise<void>;
}

/** Shows what is debited and what arrives, asks for the address twice, and sends one request at most. */
export async function withdrawDialog(options: WithdrawDialogOptions): Promise<ExitCode> {
  const { client, url, person, tell } = options;
  const asset = (await client.assets()).find(({ key }) => key === options.asset);
  const { quantity, net, fee } = amounts(options, asset);
  await tell(
    factLines([
      ['venue', url],
      ['asset', `${options.asset}${asset === undefined ? '' : ` (${asset.name})`}`],
      ['leaves the account', `${quantity} ${options.asset}`],
      ['fee', fee === undefined ? 'the venue does not say' : `${fee} ${options.asset}`],
      [
        'arrives',
        net === undefined ? `${quantity} ${options.asset} less the fee` : `${net} ${options.asset}`,
      ],
    ]),
  );
  await tell(
    'A withdrawal cannot be taken back. Type the address; nothing is sent before you have typed it twice.',
  );
  const address = (await person.ask('address: '))?.trim();
  const again =
    address === undefined || address === ''
      ? undefined
      : (await person.ask('the same address again: '))?.trim();
  if (address === undefined || address === '' || again === undefined)
    return nothingSent(tell, 'no address was given');
  if (address !== again) return nothingSent(tell, 'the two addresses differ');
  const answer = (await person.ask(`Type ${quantity} to send it: `))?.trim();
  if (answer !== quantity) return nothingSent(tell, 'the quantity was not confirmed');

  const before = await client.withdrawals({ limit: 100 });
  const outcome = await client.withdraw({ asset: options.asset, quantity, address });
  switch (outcome.kind) {
    case 'submitted':
      await tell(transferTable([outcome.withdrawal]));
      await tell(
        'The venue holds it until it is confirmed by e-mail; tickwright withdrawals shows where it stands.',
      );
      return EXIT.ok;
    case 'refused':
      await tell(`error: the venue refused the withdrawal: ${printable(outcome.reason)}`);
      return isKeyRefusal(outcome) ? EXIT.keyRefused : EXIT.failure;
    case 'not-sent':
      return nothingSent(tell, outcome.reason);
    case 'in-doubt':
      await tell(`error: the withdrawal is in doubt: ${printable(outcome.reason)}`);
      await tell('It may be at the venue. DO NOT send it again before you know.');
      await tellWhatIsNew(options, before);
      return EXIT.failure;
  }
}

async function nothingSent(tell: (text: string) => Promise<void>, reason: string): Promise<ExitCode> {
  await tell(`error: ${printable(reason)}; nothing was sent`);
  return EXIT.failure;
}

/**
 * After a doubtful answer, shows withdrawals that the venue did not list before. If there are none, that proves
 * nothing.
 */
async function tellWhatIsNew(
  { client, tell }: WithdrawDialogOptions,
  before: readonly WithdrawalRecord[],
): Promise<void> {
  const known = new Set(before.map(({ id }) => id));
  let listed: readonly WithdrawalRecord[];
  try {
    listed = await client.withdrawals({ limit: 100 });
  } catch (error) {
    await tell(`The list of withdrawals cannot be read: ${printable((error as Error).message)}`);
    await tell('Look later: tickwright withdrawals');
    return;
  }
  const fresh = listed.filter(({ id }) => !known.has(id));
  if (fresh.length > 0) {
    await tell('The venue now lists what it did not list before:');
    await tell(transferTable(fresh));
  } else {
    await tell('The venue does not list it (yet). Look again later: tickwright withdrawals');
  }
}

/**
 * The amounts of a withdrawal.
 *
 * @throws UsageError for an asset or amount that the venue does not accept.
 */
function amounts(
  { asset: key, quantity: text }: WithdrawDialogOptions,
  asset: AssetRecord | undefined,
): { readonly quantity: string; readonly fee: string | undefined; readonly net: string | undefined } {
  const value = parseDecimal(text);
  if (value === undefined || !value.gt(0)) throw wrong('--quantity', 'a decimal above 0', text);
  if (asset === undefined) throw wrong('--asset', 'an asset of the venue', key);
  if (!asset.withdrawable) throw wrong('--asset', 'one that can be withdrawn', key);
  if (value.decimalPlaces() > asset.precision) {
    throw wrong('--quantity', `a multiple of its smallest unit (${asset.precision} digits)`, text);
  }
  if (value.lt(String(asset.minWithdrawal))) {
    throw wrong('--quantity', `at least ${decimalText(asset.minWithdrawal)}`, text);
  }
  const fee = asset.fees?.withdrawal;
  if (fee === undefined) return { quantity: plain(value), fee: undefined, net: undefined };
  const net = value.minus(new Decimal(String(fee)));
  if (!net.gt(0)) throw wrong('--quantity', `more than the fee of ${decimalText(fee)}`, text);
  return { quantity: plain(value), fee: decimalText(fee), net: plain(net) };
}

function wrong(what: string, must: string, received: string): UsageError {
  return new UsageError('TICKWRIGHT_E_WITHDRAW', `${what} must be ${must}, received ${received}`);
}
