/** The suite itself on trial: with any field of any record changed on its way to a card, a card that claims it fails. */
import { expect, it } from 'vitest';
import { cardsOf, type ResourceName } from '../docs/fields-page.js';
import { VENUE_FIELDS } from '../docs/venue-fields.js';
import type { Card } from './card.js';
import type { Door, Reply } from './door.js';
import { inProcessDoor } from './doors/in-process.js';
import { runCard } from './run-card.js';

type Plain = Record<string, unknown>;

/** How a record is known among others: two fields, so that one of them may be changed. */
const MARKS: Readonly<Record<ResourceName, (record: Plain) => boolean>> = {
  Order: (record) => 'qty_orig' in record,
  Fill: (record) => 'net_commission' in record,
  Trade: (record) => 'is_best_match' in record,
  Deposit: (record) => 'net_usd' in record,
  Withdrawal: (record) => 'manually_approved' in record,
  Position: (record) => 'stats' in record,
  Balance: (record) => 'withdrawn' in record,
  Market: (record) => 'commission_maker' in record,
  Asset: (record) => 'min_withdrawal' in record,
};

const fields = (Object.keys(VENUE_FIELDS) as ResourceName[]).flatMap((resource) =>
  VENUE_FIELDS[resource].map((field) => [`${resource}.${field.name}`, resource, field] as const),
);

/** Cards that hold of an honest venue: a failure of any other proves nothing. */
const honest = new Map<Card, Promise<boolean>>();
function holds(card: Card): Promise<boolean> {
  const known = honest.get(card) ?? runCard(card, inProcessDoor()).then(({ kind }) => kind === 'pass');
  honest.set(card, known);
  return known;
}

it.each(fields)('a wrong %s is noticed by a card that claims to check it', async (_name, resource, field) => {
  for (const card of cardsOf(resource, field)) {
    if (!(await holds(card))) continue;
    const lying = liar(inProcessDoor(), MARKS[resource], field.name.split('.'));
    if ((await runCard(card, lying)).kind === 'fail') return;
  }
  expect.fail('every card passed');
});

function liar(door: Door, isIt: (record: Plain) => boolean, path: readonly string[]): Door {
  const reply = <R extends Reply>(answer: R): R => ({
    ...answer,
    result: changed(answer.result, isIt, path),
  });
  return {
    ...door,
    get: async (...request) => reply(await door.get(...request)),
    post: async (...request) => reply(await door.post(...request)),
    send: async (request) => reply(await door.send(request)),
  };
}

function changed(value: unknown, isIt: (record: Plain) => boolean, path: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((each) => changed(each, isIt, path));
  if (typeof value !== 'object' || value === null) return value;
  const record = Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, changed(inner, isIt, path)]),
  );
  return isIt(value as Plain) ? changedAt(record, path) : record;
}

function changedAt(record: Plain, [name, ...deeper]: readonly string[]): Plain {
  if (name === undefined || !(name in record)) return record;
  const value = record[name];
  const other = deeper.length > 0 ? changedAt(value as Plain, deeper) : another(value);
  return { ...record, [name]: other };
}

/** Of the same type where there is one, and as close as it can be. */
function another(value: unknown): unknown {
  if (typeof value === 'number') return value === 0 ? 1e-8 : value * (1 + 1e-9);
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'string') return `${value}~`;
  if (Array.isArray(value)) return value.slice(1);
  return value === null ? 0 : {};
}
