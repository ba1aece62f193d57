/** The commands about an account: reading what it holds and did, and changing it. */
import { Argument, Option } from '@commander-js/extra-typings';
import type { ExitCode } from './exit-code.js';
import { amountAboveZero, plainDecimal, positiveNumber, several, wholeNumber } from './option-values.js';
import {
  type Add,
  accountOptions,
  CONFIG_OPTION,
  periodOptions,
  rangeOptions,
  writeOptions,
} from './shared-options.js';

const MOST_SLICES = 10_000;
const ONLY_PAIR = 'only of this market';
const PAIR = 'the market';

type End = (code: ExitCode) => void;

/** Adds the commands that read with the key. */
export function addAccountReads(command: Add, end: End): void {
  accountOptions(
    rangeOptions(
      command('orders', 'own orders')
        .argument('[id...]', 'ids; default: those of a list')
        .addOption(
          new Option('--state <state>', 'which list; default: active').choices([
            'active',
            'completed',
            'canceled',
            'filled',
            'partial',
            'all',
          ] as const),
        )
        .option('--pair <pair>', ONLY_PAIR),
    ),
  ).action(async (ids, options) => end(await (await import('./commands/orders.js')).orders(ids, options)));

  accountOptions(
    rangeOptions(command('triggers', 'own stop and take-profit orders').option('--pair <pair>', ONLY_PAIR)),
  ).action(async (options) => end(await (await import('./commands/triggers.js')).triggers(options)));

  accountOptions(
    rangeOptions(
      command('positions', 'own positions')
        .addOption(
          new Option('--state <state>', 'open ones, or those that ended')
            .choices(['active', 'completed'] as const)
            .default('active' as const),
        )
        .option('--pair <pair>', 'only of this market, flat or not'),
    ),
  ).action(async (options) => end(await (await import('./commands/positions.js')).positions(options)));

  accountOptions(rangeOptions(command('fills', 'own executions').option('--pair <pair>', ONLY_PAIR))).action(
    async (options) => end(await (await import('./commands/fills.js')).fills(options)),
  );

  accountOptions(command('balances', 'own balances')).action(async (options) =>
    end(await (await import('./commands/balances.js')).balances(options)),
  );

  accountOptions(command('account', 'facts of the account: permissions, addresses, balances')).action(
    async (options) => end(await (await import('./commands/account.js')).account(options)),
  );

  accountOptions(
    periodOptions(
      command('explain-pnl', 'every cent of the balance: fills, fees, funding, transfers').option(
        '--pair <pair>',
        'show only this market; balances are always those of the account',
      ),
    ),
  )
    .addHelpText('after', EXPLAIN_NOTES)
    .action(async (options) => end(await (await import('./commands/explain-pnl.js')).explainPnl(options)));

  accountOptions(rangeOptions(command('deposits', 'own deposits'))).action(async (options) =>
    end(await (await import('./commands/deposits.js')).deposits(options)),
  );

  accountOptions(rangeOptions(command('withdrawals', 'own withdrawals'))).action(async (options) =>
    end(await (await import('./commands/withdrawals.js')).withdrawals(options)),
  );
}

/** Adds the commands that write. Each asks for consent before it sends, and sends once. */
export function addAccountWrites(command: Add, end: End): void {
  writeOptions(
    command('order', 'place an order, or several of one market')
      .requiredOption('--pair <pair>', PAIR)
      .addOption(new Option('--side <side>', 'buy or sell').choices(['buy', 'sell'] as const))
      .option('--quantity <q>', 'base units', plainDecimal)
      .option('--price <p>', 'limit price, quote units; default: a market order', plainDecimal)
      .addOption(new Option('--time-in-force <tif>', 'default: GTC').choices(['GTC', 'IOC', 'FOK'] as const))
      .option('--post-only', 'trade as maker or not at all')
      .option('--reduce-only', 'only make the position smaller')
      .option('--hidden', 'not shown in the depth')
      .option('--icebergs <n>', 'so many slices, one shown at a time', wholeNumber(2, MOST_SLICES))
      .option('--trigger-price <p>', 'wait until the price of the event reaches this', plainDecimal)
      .addOption(
        new Option('--trigger-event <event>', 'whose price; default: mark').choices([
          'mark',
          'index',
          'last',
        ] as const),
      )
      .option('--close-on-trigger', 'reduce-only; when it fires, other orders of its side make room')
      .option('--oco <group>', 'orders that share it cancel each other')
      .option('--leverage <x>', 'noted on the order; see the command leverage', positiveNumber)
      .addOption(
        new Option(
          '--bulk <file>',
          'orders from a file, all or none: a JSON array or one object a line',
        ).conflicts([
          'side',
          'quantity',
          'price',
          'timeInForce',
          'postOnly',
          'reduceOnly',
          'hidden',
          'icebergs',
          'triggerPrice',
          'triggerEvent',
          'closeOnTrigger',
          'oco',
          'leverage',
        ]),
      ),
  )
    .addHelpText('after', ORDER_NOTES)
    .action(async (options) => end(await (await import('./commands/order.js')).order(options)));

  writeOptions(
    command('cancel', 'cancel orders, and see that they are gone')
      .argument('[id...]', 'ids of orders or triggers')
      .option('--all', 'every working order; waiting triggers stay')
      .option('--pair <pair>', 'with --all: only of this market'),
  ).action(async (ids, options) => end(await (await import('./commands/cancel.js')).cancel(ids, options)));

  writeOptions(
    command('close', 'close a position with a reduce-only order')
      .requiredOption('--pair <pair>', PAIR)
      .option('--quantity <q>', 'base units; default: the whole position', plainDecimal)
      .option('--price <p>', 'limit price, quote units; default: at market', plainDecimal),
  ).action(async (options) => end(await (await import('./commands/close.js')).close(options)));

  writeOptions(
    command('leverage', 'make a position isolated at a leverage, or cross again')
      .addArgument(new Argument('<x>', 'leverage; 0: cross').argParser(plainDecimal))
      .requiredOption('--pair <pair>', PAIR),
  ).action(async (x, options) => end(await (await import('./commands/margin.js')).leverage(x, options)));

  writeOptions(
    command('fund', 'add margin to an isolated position')
      .addArgument(new Argument('<usd>', 'how much').argParser(amountAboveZero))
      .requiredOption('--pair <pair>', PAIR),
  ).action(async (usd, options) => end(await (await import('./commands/margin.js')).fund(usd, options)));

  writeOptions(
    command('draw', 'take margin out of an isolated position')
      .addArgument(new Argument('<usd>', 'how much').argParser(amountAboveZero))
      .requiredOption('--pair <pair>', PAIR),
  ).action(async (usd, options) => end(await (await import('./commands/margin.js')).draw(usd, options)));

  command('withdraw', 'take money out: on a terminal only, the address typed twice')
    .requiredOption('--asset <asset>', 'what, like BTC')
    .requiredOption('--quantity <q>', 'how much leaves the account, fee included', plainDecimal)
    .option('--key-file <file>', 'a key that may withdraw; default: the key of the other commands')
    .option('--secret-file <file>', 'its secret')
    .option('--venue <url>', "the venue's address; default: the configuration's, else http://127.0.0.1:8085")
    .option(
      '--profile <name|file>',
      "its dialect: tickwright, cautious or a file; default: the configuration's, else by the address",
    )
    .option(...CONFIG_OPTION)
    .option('--allow-env-key', 'take the key from the environment for a venue that is not on this machine')
    .action(async (options) => end(await (await import('./commands/withdraw.js')).withdraw(options)));

  writeOptions(
    command('request', 'any other request, as the venue answers it; past the gate')
      .addArgument(new Argument('<method>', 'GET or POST').choices(['GET', 'POST'] as const))
      .argument('<endpoint>', 'like /ticker')
      .argument('[name=value...]', 'query of a GET, body of a POST', several, [] as readonly string[])
      .addOption(
        new Option(
          '--auth <kind>',
          'default: public for GET, signed for POST /auth/…, key for other POSTs',
        ).choices(['public', 'key', 'signed'] as const),
      ),
  ).action(async (method, path, fields, options) =>
    end(await (await import('./commands/request.js')).request(method, path, fields, options)),
  );
}

const EXPLAIN_NOTES = `
Reads every list of the account to its beginning. Exit code 0: the parts add up to the venue's balance to the unit.
3: they do not; the rest stands under suspense, with the round trip and the fills that are missing where they are known.`;

const ORDER_NOTES = `
The order passes the pair filters and the limits of the configuration first; off the grid is refused, never rounded.
Exit code 0: the venue has it (look at its status: it may be canceled at once). 1: refused, not sent, or in doubt.
  tickwright order --pair USD_BTC_PERP --side buy --quantity 0.01 --price 60000 --post-only
  tickwright order --pair USD_BTC_PERP --side sell --quantity 0.01 --trigger-price 55000 --close-on-trigger`;
