import type { LedgerFacts } from '../../ledger/ledger.js';
import { precisionsOf } from '../../ledger/read-records.js';
import { isExplained, statementOf } from '../../ledger/statement.js';
import { UsageError } from '../../model/errors.js';
import { readAccountHistory } from '../connection/account-history.js';
import { type KeyedOptions, withAccount } from '../settings/venue-access.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { momentText, parseStretch } from '../view/moment.js';
import { printJson, printText } from '../view/output.js';
import { statementJson, statementText } from '../view/statement-view.js';

export interface ExplainPnlOptions extends KeyedOptions {
  readonly pair?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Attributes the balance to fills, fees, funding and transfers. Exit code 3 if an amount remains unexplained. */
export async function explainPnl(options: ExplainPnlOptions): Promise<ExitCode> {
  const { from, to } = parseStretch(options, { isInclusive: true });
  const statement = await withAccount(options, async ({ api, profile }) => {
    const [markets, assets] = [await api.markets(), await api.assets()];
    if (options.pair !== undefined && !markets.has(options.pair)) {
      throw new UsageError(
        'TICKWRIGHT_E_PAIR',
        `--pair must be one of ${[...markets.keys()].join(', ')}, received ${options.pair}`,
      );
    }
    const facts: LedgerFacts = {
      markets,
      precisions: precisionsOf(markets.values(), assets),
      funding: 'stated',
    };
    await api.clock.sync();
    const now = Math.floor(api.clock.now());
    if (from !== undefined && from > now) {
      throw new UsageError(
        'TICKWRIGHT_E_TIME',
        `--from must have passed at the venue, where it is ${momentText(now)}, received ${options.from}`,
      );
    }
    const records = await readAccountHistory(api, {
      pageLimit: profile.maxLimit,
      now: () => Math.floor(api.clock.now()),
    });
    return statementOf(facts, records, { from, to });
  });
  if (options.json === true) await printJson(statementJson(statement, options.pair));
  else await printText(statementText(statement, options.pair));
  return isExplained(statement) ? EXIT.ok : EXIT.checkFailed;
}
