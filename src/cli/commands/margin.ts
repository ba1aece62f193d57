/** The commands that change the margin of a position: `leverage`, `fund`, `draw`. */
import type { VenueClient } from '../../client/client.js';
import type { AccountRecord } from '../../model/venue-records.js';
import type { MarginOutcome } from '../../ports/venue-api.js';
import { hasConsent, personAtTerminal, requireConsent } from '../order/consent.js';
import { chooseMarket } from '../settings/pair.js';
import { withAccount, type WriteOptions } from '../settings/venue-access.js';
import { reportFailure, sameVenue } from '../order/write-report.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { balanceTable } from '../view/balance-view.js';
import { printJson, printText } from '../view/output.js';
import { positionJson, positionTable } from '../view/position-view.js';
import { recordJson } from '../view/record-json.js';

export interface MarginOptions extends WriteOptions {
  readonly pair: string;
}

/** Above 0: isolated margin at that leverage; 0: back to cross margin. */
export function leverage(times: string, options: MarginOptions): Promise<ExitCode> {
  const what = Number(times) === 0 ? 'cross margin' : `isolated margin at leverage ${times}`;
  return change(options, {
    name: 'the change of leverage',
    what: `${what} for ${options.pair}`,
    send: (api, pair) => api.setLeverage(pair, times),
  });
}

/** Adds USD to the margin of an isolated position. */
export function fund(amount: string, options: MarginOptions): Promise<ExitCode> {
  return change(options, {
    name: 'the funding of margin',
    what: `add ${amount} USD to the margin of the isolated position on ${options.pair}`,
    send: (api, pair) => api.fund(pair, amount),
  });
}

/** Takes USD from the margin of an isolated position, which raises its leverage. */
export function draw(amount: string, options: MarginOptions): Promise<ExitCode> {
  return change(options, {
    name: 'the drawing of margin',
    what: `take ${amount} USD out of the margin of the isolated position on ${options.pair}`,
    send: (api, pair) => api.draw(pair, amount),
  });
}

interface MarginChange {
  readonly name: string;
  readonly what: string;
  readonly send: (api: VenueClient, pair: string) => Promise<MarginOutcome>;
}

async function change(options: MarginOptions, { name, what, send }: MarginChange): Promise<ExitCode> {
  const person = personAtTerminal();
  requireConsent(options.yes, person);
  return withAccount(options, async ({ api, url }) => {
    const { pair } = await chooseMarket(api, options.pair);
    if (!(await hasConsent(options.yes, `${what}\nat ${url}`, person))) return EXIT.failure;
    const outcome = await send(api, pair);
    if (outcome.kind === 'done') {
      await report(outcome.account, options.json);
      return EXIT.ok;
    }
    const flags = sameVenue(options);
    return reportFailure(outcome, {
      json: options.json,
      what: name,
      lookAt: [`positions --pair ${pair}${flags}`, `balances${flags}`],
    });
  });
}

async function report({ balances, positions }: AccountRecord, json: true | undefined): Promise<void> {
  if (json === true) {
    const records = { balances: balances.map(recordJson), positions: positions.map(positionJson) };
    await printJson({ outcome: 'done', ...records });
    return;
  }
  const tables = [
    positions.length === 0 ? '' : positionTable(positions),
    balances.length === 0 ? '' : balanceTable(balances),
  ];
  await printText(tables.filter((text) => text !== '').join('\n\n') || 'done');
}
