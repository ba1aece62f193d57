import { z } from 'zod';
import { UsageError } from '../model/errors.js';
import type { OrderFieldNames, VenueProfile } from './profile.js';

const NAME = { error: 'a name of letters, digits and _' };
const word = z.string(NAME).regex(/^[A-Za-z_][A-Za-z0-9_]{0,63}$/, NAME);
const whole = (least: number, most: number) =>
  z
    .number({ error: `a whole number from ${least} to ${most}` })
    .refine((value) => Number.isInteger(value) && value >= least && value <= most, {
      error: `a whole number from ${least} to ${most}`,
    });
const flag = z.boolean({ error: 'true or false' });
const oneOf = <const T extends readonly string[]>(...values: T) =>
  z.enum(values, { error: `one of ${values.join(', ')}` });

const beginnings = z.array(
  z.string({ error: 'a text' }).min(3, { error: 'a text of at least 3 characters' }),
  { error: 'a list of beginnings of messages' },
);

const orderFields = z.strictObject({
  pair: word,
  quantity: word,
  side: word,
  price: word,
  timeInForce: word,
  postOnly: word,
  reduceOnly: word,
  hidden: word,
  icebergs: word,
  triggerPrice: word,
  triggerEvent: word,
  closeOnTrigger: word,
  leverage: word,
  oco: word,
  timestamp: word,
  recvWindow: word,
} satisfies Record<keyof OrderFieldNames, unknown>);

const DAY_MS = 86_400_000;

/** A whole profile. A value that may be `undefined` in a profile is `null` here, because YAML has no `undefined`. */
const profile = z.strictObject({
  name: z.string({ error: 'a text' }).min(1, { error: 'a text' }),
  maxLimit: whole(1, 1_000_000),
  orderFields: orderFields.partial(),
  orderNesting: z.array(word, { error: 'a list of names' }),
  bulkNesting: z.array(word, { error: 'a list of names' }),
  definiteRefusals: beginnings,
  authRefusals: beginnings,
  recvWindowMs: whole(1, DAY_MS),
  fencesLate: flag,
  // Without the list of active orders an order whose answer was lost would be proven absent while it rests.
  orderLists: z
    .array(oneOf('active', 'all', 'completed', 'canceled', 'filled', 'partial'), {
      error: 'a list of order lists',
    })
    .refine((lists) => lists.includes('active'), { error: 'a list of order lists with active in it' }),
  tradeIds: oneOf('contiguous', 'opaque'),
  clock: oneOf('follow', 'system'),
  budget: z
    .strictObject({
      perSecond: z.number({ error: 'a number above 0' }).positive({ error: 'a number above 0' }).max(10_000),
      burst: whole(2, 10_000),
    })
    .partial(),
  echo: z.literal(['oco', null], { error: 'oco or null' }),
  icebergs: oneOf('slices', 'displayQuantity'),
  bulk: z
    .strictObject({
      atomic: flag,
      maxOrders: whole(1, 1_000),
      maxIds: whole(1, 10_000),
      ordersField: word,
      idsField: word,
      stamp: oneOf('request', 'order'),
    })
    .partial(),
  signed: z.strictObject({ fund: flag, draw: flag, leverage: flag }).partial(),
  crossLeverage: z
    .number({ error: 'a number of at least 0, or null' })
    .min(0, { error: 'a number of at least 0, or null' })
    .nullable(),
  balancesFrom: oneOf('personal', 'balances', 'account'),
  limits: z
    .strictObject({ restingPerPair: whole(1, 100_000), ordersPerMinute: whole(1, 1_000_000) })
    .partial(),
  visibilityLagMs: whole(0, DAY_MS),
} satisfies Record<keyof VenueProfile, unknown>);

const overridesSchema = profile.partial();

/**
 * `base` with the changes in `overrides`, an object as read from YAML. Nested parts are merged by key, lists are replaced,
 * and `null` stands for `undefined`.
 *
 * @throws UsageError whose message names the place: `profile.bulk.maxOrders must be a whole number from 1 to 1000, …`.
 */
export function profileFrom(base: VenueProfile, overrides: unknown): VenueProfile {
  const parsed = overridesSchema.safeParse(overrides ?? {});
  if (!parsed.success) throw complaint(parsed.error.issues[0], overrides);
  const { echo, crossLeverage, orderFields, budget, bulk, signed, limits, ...rest } = present(parsed.data);
  const made: VenueProfile = {
    ...base,
    ...rest,
    echo: echo === undefined ? base.echo : (echo ?? undefined),
    crossLeverage: crossLeverage === undefined ? base.crossLeverage : (crossLeverage ?? undefined),
    orderFields: { ...base.orderFields, ...present(orderFields) },
    budget: { ...base.budget, ...present(budget) },
    bulk: { ...base.bulk, ...present(bulk) },
    signed: { ...base.signed, ...present(signed) },
    limits: { ...base.limits, ...present(limits) },
  };
  requireDistinct(made.orderFields);
  return made;
}

/** Two order fields of one name would overwrite each other in the body. */
function requireDistinct(names: OrderFieldNames): void {
  const taken = new Map<string, string>();
  for (const [field, name] of Object.entries(names) as [string, string][]) {
    const other = taken.get(name);
    if (other !== undefined) {
      throw invalid(`profile.orderFields.${field}`, `unlike that of ${other}`, JSON.stringify(name));
    }
    taken.set(name, field);
  }
}

/** Drops keys whose value is `undefined`: spread over the base they would erase its values. */
function present<T extends object>(value: T | undefined): { [K in keyof T]: Exclude<T[K], undefined> } {
  const entries = Object.entries(value ?? {}).filter(([, part]) => part !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]: Exclude<T[K], undefined> };
}

function complaint(issue: z.core.$ZodIssue | undefined, overrides: unknown): UsageError {
  const path = issue?.path ?? [];
  const place = placeOf(path);
  if (issue?.code === 'unrecognized_keys') {
    const [unknown = ''] = issue.keys;
    return invalid(`${place}.${unknown}`, `a key of ${place}: ${keysAt(path).join(', ')}`, 'an unknown one');
  }
  if (issue?.code === 'invalid_type' && issue.expected === 'object') {
    return invalid(place, 'an object', shown(valueAt(overrides, path)));
  }
  return invalid(place, issue?.message ?? 'a profile', shown(valueAt(overrides, path)));
}

function placeOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (place, key) => (typeof key === 'number' ? `${place}[${key}]` : `${place}.${String(key)}`),
    'profile',
  );
}

/** The keys that the schema knows at a path. */
function keysAt(path: readonly PropertyKey[]): readonly string[] {
  const part: unknown = path[0] === undefined ? overridesSchema : Reflect.get(profile.shape, path[0]);
  return part instanceof z.ZodObject ? Object.keys(part.shape) : [];
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (part, key) =>
      typeof part === 'object' && part !== null ? (Reflect.get(part, key) as unknown) : undefined,
    value,
  );
}

function shown(value: unknown): string {
  const text = value === undefined ? 'nothing' : (JSON.stringify(value) ?? typeof value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

function invalid(place: string, must: string, received: string): UsageError {
  return new UsageError('TICKWRIGHT_E_PROFILE', `${place} must be ${must}, received ${received}`);
}
