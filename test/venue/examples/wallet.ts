import type { Account } from '../../../src/venue/core/account.js';
import { RiskDesk } from '../core/risk-desk.js';
import { testAsset } from '../core/test-asset.js';
import { balance, type Example, fact, money } from './example.js';

const BITCOIN = testAsset('BTC', {
  confirmations: 3,
  minWithdrawal: '0.001',
  fees: { withdrawal: '0.0005', deposit: '0.0001' },
  usdPrice: '60000',
});

/** A venue whose wallets take USD and BTC. */
function walletDesk(deposits: Readonly<Record<string, string>>): { desk: RiskDesk; account: Account } {
  const desk = new RiskDesk({ core: { assets: [testAsset('USD'), BITCOIN] } });
  return { desk, account: desk.core.openAccount('a', deposits) };
}

const cashOf = (desk: RiskDesk, name: string, asset: string) =>
  desk.core.account(name)?.balances.get(asset)?.cash;

/** Deposits and withdrawals. */
export const WALLET: readonly Example[] = [
  {
    id: 'L',
    title: 'A withdrawal that is confirmed',
    arithmetic: [
      'W 1 000; a withdrawal of 100 with a fee of 1. On submission: free 900, withdrawn 100, PENDING.',
      'Confirmed: withdrawn 0, outside + 99, fees + 1, net 99, COMPLETED.',
    ],
    run() {
      const { desk, account } = walletDesk({ USD: '1000' });
      const { wallet } = desk.core;
      // What came from outside is owed by it.
      const outside = cashOf(desk, 'outside', 'USD') ?? 0n;
      const asked = wallet.requestWithdrawal(account, 'USD', '100', 'an address', ++desk.now);
      if (asked.kind !== 'pending') throw new Error(asked.reason);
      const { id, net } = asked.withdrawal;
      const pending = balance(desk, account, 'USD');
      wallet.confirmWithdrawal(id, ++desk.now);
      const done = balance(desk, account, 'USD');
      return [
        money('free, pending', '900', pending?.free),
        money('withdrawn, pending', '100', pending?.withdrawn),
        money('free, completed', '900', done?.free),
        money('withdrawn, completed', '0', done?.withdrawn),
        money('outside', '99', (cashOf(desk, 'outside', 'USD') ?? 0n) - outside),
        money('fees', '1', cashOf(desk, 'fees', 'USD')),
        money('net', '99', net),
        fact('status', 'completed', wallet.withdrawals(account)[0]?.status),
      ];
    },
  },
  {
    id: 'M15',
    title: 'A withdrawal that is dropped',
    arithmetic: [
      'W 1 000, long 0.1 BTC from 60 000 (fee 3.6): A = 996.4 − im(6 000) = 996.4 − 96 = 900.4.',
      'A withdrawal of 900.40000001 is refused, one of 900.4 takes all: free 0, withdrawn 900.4, and the cash left is the margin, 96.',
      'It is dropped: free 900.4, withdrawn 0, no record, no fee.',
    ],
    run() {
      const { desk, account } = walletDesk({ USD: '1000' });
      desk.index(60_000);
      desk.deal(account, desk.core.street, { side: 'buy', quantity: 0.1, price: 60_000 });
      const ask = (amount: string) =>
        desk.core.wallet.requestWithdrawal(account, 'USD', amount, 'an address', ++desk.now);
      const tooMuch = ask('900.40000001');
      const asked = ask('900.4');
      const pending = balance(desk, account, 'USD');
      const listed = desk.core.wallet.withdrawals(account);
      if (listed[0] !== undefined) desk.core.wallet.dropWithdrawal(listed[0].id, ++desk.now);
      const after = balance(desk, account, 'USD');
      return [
        fact(
          '900.40000001',
          'insufficient balance: needs 900.40000001 USD, available 900.4 USD',
          tooMuch.kind === 'refused' ? tooMuch.reason : tooMuch.kind,
        ),
        fact('900.4', 'pending', asked.kind),
        money('free, pending', '0', pending?.free),
        money('withdrawn, pending', '900.4', pending?.withdrawn),
        money('margin, pending', '96', pending?.margin),
        money('free, dropped', '900.4', after?.free),
        money('withdrawn, dropped', '0', after?.withdrawn),
        fact(
          'records',
          '1, then 0',
          `${listed.length}, then ${desk.core.wallet.withdrawals(account).length}`,
        ),
        money('fees', '3.6', cashOf(desk, 'fees', 'USD')),
      ];
    },
  },
  {
    id: 'M16',
    title: 'A withdrawal at its minimum',
    arithmetic: [
      'BTC 0.5, minimum 0.001, fee 0.0005. 0.0009 is below the minimum; 0.001 gives net 0.001 − 0.0005 = 0.0005.',
      'Confirmed: BTC 0.499; fees 0.0005 BTC. The record keeps the USD price of its time, 60 000: qty_usd is 0.001 × 60 000 = 60.',
    ],
    run() {
      const { desk, account } = walletDesk({ USD: '0', BTC: '0.5' });
      const { wallet } = desk.core;
      const ask = (amount: string) =>
        wallet.requestWithdrawal(account, 'BTC', amount, 'an address', ++desk.now);
      const tooLittle = ask('0.0009');
      const asked = ask('0.001');
      if (asked.kind !== 'pending') throw new Error(asked.reason);
      const { id, net, usdPrice } = asked.withdrawal;
      wallet.confirmWithdrawal(id, ++desk.now);
      return [
        fact(
          '0.0009',
          'withdrawal below minimum: 0.0009 BTC is less than 0.001 or not above the fee of 0.0005',
          tooLittle.kind === 'refused' ? tooLittle.reason : tooLittle.kind,
        ),
        money('net', '0.0005', net),
        money('BTC', '0.499', balance(desk, account, 'BTC')?.free),
        money('fees', '0.0005', cashOf(desk, 'fees', 'BTC')),
        fact('USD price of the record', '60000', usdPrice),
      ];
    },
  },
  {
    id: 'M17',
    title: 'A deposit with a fee and three confirmations',
    arithmetic: [
      'BTC 1; 0.5 BTC is seen on the chain, fee 0.0001, so net = 0.4999. Nothing is credited before the third confirmation.',
      'Then W = 1.4999, fees + 0.0001, outside −0.5 more. 0.0001 alone would leave nothing and is no deposit.',
    ],
    run() {
      const { desk, account } = walletDesk({ USD: '0', BTC: '1' });
      const { wallet } = desk.core;
      const outside = cashOf(desk, 'outside', 'BTC') ?? 0n;
      const id = wallet.detectDeposit(account, 'BTC', '0.5', {}, ++desk.now);
      wallet.confirmDeposit(id, ++desk.now, 2);
      const two = [wallet.deposit(id)?.status, desk.core.available(account, 'BTC')] as const;
      wallet.confirmDeposit(id, ++desk.now, 1);
      return [
        fact('after two', 'pending', two[0]),
        money('BTC after two', '1', two[1]),
        fact('after three', 'completed', wallet.deposit(id)?.status),
        money('net', '0.4999', wallet.deposit(id)?.net),
        money('BTC after three', '1.4999', balance(desk, account, 'BTC')?.free),
        money('fees', '0.0001', cashOf(desk, 'fees', 'BTC')),
        money('outside', '-0.5', (cashOf(desk, 'outside', 'BTC') ?? 0n) - outside),
      ];
    },
  },
];
