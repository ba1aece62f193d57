import { expect, it } from 'vitest';
import { withdrawDialog } from '../../src/cli/withdraw-dialog.js';
import type { WithdrawClient } from '../../src/client/withdraw.js';

type Outcome = Awaited<ReturnType<WithdrawClient['withdraw']>>;

const USD = {
  key: 'USD',
  name: 'dollar',
  precision: 2,
  withdrawable: true,
  minWithdrawal: 1,
  fees: { withdrawal: undefined, deposit: undefined },
};

async function withdrawing(outcome: Outcome) {
  const said: string[] = [];
  const answers = ['address', 'address', '1'];
  const client = {
    assets: () => Promise.resolve([USD]),
    withdrawals: () => Promise.resolve([]),
    withdraw: () => Promise.resolve(outcome),
  } as unknown as WithdrawClient;
  const code = await withdrawDialog({
    client,
    url: 'http://venue',
    asset: 'USD',
    quantity: '1',
    tell: (text) => Promise.resolve(void said.push(text)),
    person: { ask: () => Promise.resolve(answers.shift()) },
  });
  return { code, last: said.at(-1) };
}

it('ends with 77 where the venue refuses the key, and with 1 for every other refusal', async () => {
  const key = { kind: 'refused', reason: 'no', isUnauthorized: true } as const;
  expect(await withdrawing(key)).toEqual({ code: 77, last: 'error: the venue refused the withdrawal: no' });
  expect((await withdrawing({ kind: 'refused', reason: 'bad signature' })).code).toBe(77);
  expect((await withdrawing({ kind: 'refused', reason: 'not withdrawable' })).code).toBe(1);
});
