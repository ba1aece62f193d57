import type { VenueClient } from '../../client/client.js';
import { UsageError } from '../../model/errors.js';
import type { OrderRecord } from '../../model/venue-records.js';
import { sleep } from '../../ports/clock.js';
import { VenueError, type VenueWords } from '../../ports/venue-api.js';
import { hasConsent, personAtTerminal, requireConsent } from '../order/consent.js';
import { type VenueAccess, withAccount, type WriteOptions } from '../settings/venue-access.js';
import { type Failure, reportFailure, sameVenue } from '../order/write-report.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { keyRefusalOf } from '../report-error.js';
import { orderJson, orderTable } from '../view/order-view.js';
import { printJson, printText, say } from '../view/output.js';
import { printable } from '../view/printable.js';

export interface CancelOptions extends WriteOptions {
  readonly all?: true | undefined;
  readonly pair?: string | undefined;
}

/** How often, and for how long at least, orders are read until the venue shows them as done; ms. */
const LOOK_EVERY_MS = 250;
const LOOK_FOR_MS = 2_000;

export async function cancel(ids: readonly string[], options: CancelOptions): Promise<ExitCode> {
  checkSubject(ids, options);
  const person = personAtTerminal();
  requireConsent(options.yes, person);
  return withAccount(options, async (access) => {
    const chosen = options.all === true ? await working(access, options.pair) : ids;
    if (options.all === true && chosen.length === 0 && options.pair !== undefined) {
      return report(access, [], options);
    }
    const subject =
      options.all === true
        ? `cancel every working order${options.pair === undefined ? '' : ` on ${options.pair}`} (${chosen.length} now)`
        : `cancel ${chosen.join(', ')}`;
    if (!(await hasConsent(options.yes, `${subject}\nat ${access.url}`, person))) return EXIT.failure;
    const failure = await send(access.api, chosen, options);
    if (failure !== undefined) return failed(options, failure);
    return report(access, chosen, options);
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

/** Ids of the working orders that the venue lists. */
async function working(
  { api, profile }: VenueAccess<VenueClient>,
  pair: string | undefined,
): Promise<readonly string[]> {
  const query = { limit: profile.maxLimit, ...(pair === undefined ? {} : { pair }) };
  return (await api.orders('active', query)).map(({ id }) => id);
}

/**
 * Why the venue refused; `undefined` if it did not. Neither an answer nor a missing one proves what happened to the
 * orders, so they are read afterwards in any case.
 */
async function send(
  api: VenueClient,
  ids: readonly string[],
  { all, pair }: CancelOptions,
): Promise<Failure | undefined> {
  const outcome =
    all === true && pair === undefined ? await api.cancelEverything() : await cancelNamed(api, ids);
  if (outcome.kind === 'refused') return outcome;
  if (outcome.kind === 'unanswered') {
    await say(`warning: the cancel is in doubt (${printable(outcome.reason)}); reading the orders`);
  }
  return undefined;
}

type Sent =
  | { readonly kind: 'answered' }
  | ({ readonly kind: 'refused' } & VenueWords)
  | ({ readonly kind: 'unanswered' } & VenueWords);

async function cancelNamed(api: VenueClient, [first, ...others]: readonly string[]): Promise<Sent> {
  if (first === undefined) return { kind: 'answered' };
  if (others.length === 0) return api.cancel(first);
  const kind = await api.cancelMany([first, ...others]);
  return kind === 'answered' ? { kind } : { kind, reason: 'the bulk cancel was not confirmed' };
}

/** Reads the orders until each is done, because only a later read proves a cancel. */
async function report(
  access: VenueAccess<VenueClient>,
  ids: readonly string[],
  options: CancelOptions,
): Promise<ExitCode> {
  const { found, unknown } = await settled(access, ids);
  const left = [...found.filter(isOpen).map(({ id }) => id), ...(await leftOver(access, options))];
  const open = [...new Set(left)];
  if (options.json === true) {
    const doubt = open.length === 0 ? {} : { stillOpen: open };
    await printJson({
      outcome: open.length === 0 ? 'done' : 'in-doubt',
      orders: found.map(orderJson),
      unknown,
      ...doubt,
    });
  } else {
    await printText(found.length === 0 ? 'no orders to cancel' : orderTable(found));
  }
  if (unknown.length > 0) await say(`error: the venue knows no order ${unknown.join(', ')}`);
  if (open.length > 0) {
    await say(
      `error: not proven canceled: ${open.join(', ')}\nThey may still fill. Look, and cancel again (that is harmless):\n` +
        `  tickwright orders --state active${sameVenue(options)}`,
    );
  }
  return unknown.length + open.length === 0 ? EXIT.ok : EXIT.failure;
}

interface Settled {
  readonly found: readonly OrderRecord[];
  /** Ids that the venue does not know. */
  readonly unknown: readonly string[];
}

async function settled(
  { api, machine, profile }: VenueAccess<VenueClient>,
  ids: readonly string[],
): Promise<Settled> {
  const deadline = machine.clock.monotonic() + Math.max(LOOK_FOR_MS, 2 * profile.visibilityLagMs);
  const found = new Map<string, OrderRecord>();
  const unknown: string[] = [];
  let left: readonly string[] = ids;
  for (;;) {
    for (const id of left) {
      const order = await api.order(id).catch((error: unknown) => {
        // A refusal of the key says nothing about the order.
        const isSaid = error instanceof VenueError && error.kind === 'refused';
        if (isSaid && keyRefusalOf(error) === undefined) return undefined;
        throw error;
      });
      if (order === undefined) unknown.push(id);
      else found.set(id, order);
    }
    left = [...found.values()].filter(isOpen).map(({ id }) => id);
    if (left.length === 0 || machine.clock.monotonic() >= deadline) break;
    await sleep(machine.timers, LOOK_EVERY_MS);
  }
  return { found: ids.flatMap((id) => found.get(id) ?? []), unknown };
}

/** Orders that the venue still lists after `--all`, including those that were placed meanwhile. */
async function leftOver(
  access: VenueAccess<VenueClient>,
  { all, pair }: CancelOptions,
): Promise<readonly string[]> {
  return all === true ? working(access, pair) : [];
}

function isOpen({ status }: OrderRecord): boolean {
  return status !== 'CANCELLED' && status !== 'COMPLETED';
}

function failed(options: CancelOptions, failure: Failure): Promise<ExitCode> {
  const flags = sameVenue(options);
  return reportFailure(failure, {
    json: options.json,
    what: 'the cancel',
    lookAt: [`orders --state active${flags}`, `triggers${flags}`],
  });
}
