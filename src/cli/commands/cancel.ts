import type { VenueClient } from '../../client/client.js';
import { UsageError } from '../../model/errors.js';
import type { VenueWords } from '../../ports/venue-api.js';
import { proveCanceled, working } from '../order/cancel-proof.js';
import { hasConsent, personAtTerminal, requireConsent } from '../order/consent.js';
import { type VenueAccess, withAccount, type WriteOptions } from '../settings/venue-access.js';
import { type Failure, reportFailure, sameVenue } from '../order/write-report.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { orderJson, orderTable } from '../view/order-view.js';
import { printJson, printText, say } from '../view/output.js';
import { printable } from '../view/printable.js';

export interface CancelOptions extends WriteOptions {
  readonly all?: true | undefined;
  readonly pair?: string | undefined;
}

export async function cancel(ids: readonly string[], options: CancelOptions): Promise<ExitCode> {
  checkSubject(ids, options);
  const person = personAtTerminal();
  requireConsent(options.yes, person);
  return withAccount(options, async (access) => {
    const chosen = options.all === true ? await working(access, options) : ids;
    if (options.all === true && chosen.length === 0 && options.pair !== undefined) {
      return report(access, [], { ...options, isAnswered: false });
    }
    const subject =
      options.all === true
        ? `cancel every working order${options.pair === undefined ? '' : ` on ${options.pair}`} (${chosen.length} now)`
        : `cancel ${chosen.join(', ')}`;
    if (!(await hasConsent(options.yes, `${subject}\nat ${access.url}`, person))) return EXIT.failure;
    const sent = await send(access.api, chosen, options);
    if (sent.kind === 'refused') return failed(options, sent);
    // Neither an answer nor a missing one proves what happened to the orders, so they are read in any case.
    if (sent.kind === 'unanswered') {
      await say(`warning: the cancel is in doubt (${printable(sent.reason)}); reading the orders`);
    }
    return report(access, chosen, { ...options, isAnswered: sent.kind === 'answered' });
  });
}

function checkSubject(ids: readonly string[], { all, pair }: CancelOptions): void {
  const problem =
    all === true && ids.length > 0
      ? 'either ids or --all must be given, received both'
      : all !== true && ids.length === 0
        ? 'ids of orders or --all must be given, received neither'
        : all !== true && pair !== undefined
          ? '--pair must go with --all, received ids'
          : ids.includes('')
            ? 'an id must not be empty, received an empty one'
            : undefined;
  if (problem !== undefined) throw new UsageError('TICKWRIGHT_E_CANCEL', problem);
}

type Sent =
  | { readonly kind: 'answered' }
  | ({ readonly kind: 'refused' } & VenueWords)
  | ({ readonly kind: 'unanswered' } & VenueWords);

function send(api: VenueClient, ids: readonly string[], { all, pair }: CancelOptions): Promise<Sent> {
  if (all === true && pair === undefined) return api.cancelEverything();
  const [first, ...others] = ids as readonly [string, ...string[]];
  return others.length === 0 ? api.cancel(first) : api.cancelMany([first, ...others]);
}

async function report(
  { api, profile, machine: { clock, timers } }: VenueAccess<VenueClient>,
  ids: readonly string[],
  options: CancelOptions & { readonly isAnswered: boolean },
): Promise<ExitCode> {
  const { all, pair, json } = options;
  // Orders that were named are canceled one by one: another of the pair may be left.
  const list = all === true ? { pair, isAnswered: options.isAnswered && pair === undefined } : undefined;
  const { found, unknown, open, unread } = await proveCanceled(ids, { api, profile, clock, timers, list });
  const isProven = open.length === 0 && unread === undefined;
  const reason = unknown.length === 0 ? undefined : `the venue knows no order ${unknown.join(', ')}`;
  if (json === true) {
    await printJson({
      outcome: isProven ? (reason === undefined ? 'done' : 'refused') : 'in-doubt',
      ...(reason === undefined ? {} : { reason }),
      orders: found.map(orderJson),
      unknown,
      ...(isProven ? {} : { stillOpen: open }),
    });
  } else if (found.length > 0) await printText(orderTable(found));
  else if (isProven && reason === undefined) await printText('no orders to cancel');
  if (reason !== undefined) await say(`error: ${reason}`);
  if (!isProven) {
    const which = open.length === 0 ? '' : `: ${open.join(', ')}`;
    const why = unread === undefined ? '' : ` (the newest read failed: ${printable(unread)})`;
    await say(
      `error: not proven canceled${which}${why}\nThey may still fill. Look, and cancel again (that is harmless):\n` +
        `  tickwright orders --state active${sameVenue(options)}`,
    );
  }
  return isProven && reason === undefined ? EXIT.ok : EXIT.failure;
}

function failed(options: CancelOptions, failure: Failure): Promise<ExitCode> {
  const flags = sameVenue(options);
  return reportFailure(failure, {
    json: options.json,
    what: 'the cancel',
    lookAt: [`orders --state active${flags}`, `triggers${flags}`],
  });
}
