import { z } from 'zod';
import { parseDuration } from '../model/duration.js';
import type { FaultEffect, FaultKind, Span } from '../model/fault-rule.js';

/**
 * The rules of a fault plan as people write them: one flat map of place, time, and what belongs to the fault. The
 * message of each check says what is expected.
 */
const DURATION = 'a duration like 500ms, 2s or 5m';
const OFFSET = 'a duration like 500ms, or -2s';
const SPAN = `${DURATION}, or the shortest and the longest like [1s, 5s]`;
const COUNT = 'a whole number of at least 1';
const RANGE = 'two whole numbers in order like [10, 20], or two durations in order like [30s, 40s]';
const SHARE = 'a number from 0 to 1';

const duration = z.string(DURATION).transform((text, context) => {
  const ms = parseDuration(text);
  if (ms === undefined) context.addIssue({ code: 'custom', message: DURATION });
  return ms ?? 0;
});
const offset = z.string(OFFSET).transform((text, context) => {
  const ms = parseDuration(text.replace(/^[-+]/, ''));
  if (ms === undefined) context.addIssue({ code: 'custom', message: OFFSET });
  return (text.startsWith('-') ? -1 : 1) * (ms ?? 0);
});
const span = z
  .union([duration, z.tuple([duration, duration]).refine(isAscending, SPAN)], SPAN)
  .transform((value): Span => (typeof value === 'number' ? [value, value] : value));
const count = z.int(COUNT).min(1, COUNT);
const fraction = (what: string) => z.number(what).min(0, what).max(1, what);
const text = (what: string) => z.string(what).min(1, what);
const yesOrNo = z.boolean('true or false');
/** Of an error envelope that proves nothing: no venue has it among its definite refusals. */
const msg = text('a text').default('The service is temporarily unavailable');

const PATHS = 'a path like /auth/*, or a list of paths';
const place = z.strictObject(
  {
    path: z.union([text(PATHS).transform((path) => [path]), z.array(text(PATHS)).min(1)], PATHS).optional(),
    method: z.enum(['GET', 'POST'], 'GET or POST').optional(),
    account: text('the name of an account').optional(),
    calls: z.enum(['read', 'write', 'all'], 'read, write or all').optional(),
  },
  { error: mapExpected },
);

const INDEX = `${COUNT}, or a list of them`;
const common = {
  name: text('a name').optional(),
  place: place.prefault({}),
  probability: fraction('a probability from 0 to 1').optional(),
  index: z.union([count.transform((n) => [n]), z.array(count).min(1)], INDEX).optional(),
  every: count.optional(),
  between: z
    .union(
      [
        z
          .tuple([count, count])
          .refine(isAscending, RANGE)
          .transform((requests) => ({ requests, times: undefined })),
        z
          .tuple([duration, duration])
          .refine(([from, until]) => from < until, RANGE)
          .transform((times) => ({ requests: undefined, times })),
      ],
      RANGE,
    )
    .optional(),
  from: duration.optional(),
  for: duration.optional(),
  repeat: duration.optional(),
  limit: count.optional(),
};
const commonSchema = z.object(common);

/** What every rule has, whatever its fault. */
export type CommonInput = z.output<typeof commonSchema>;

export interface FaultInput {
  readonly common: CommonInput;
  readonly effect: FaultEffect;
}

export interface FaultSchema {
  readonly schema: z.ZodType<FaultInput>;
  /** What its map may hold, for hints. */
  readonly keys: z.ZodType;
}

function fault<Shape extends z.ZodRawShape>(
  kind: FaultKind,
  shape: Shape,
  effectOf: (own: z.output<z.ZodObject<Shape>>) => FaultEffect,
): FaultSchema {
  const keys = z.strictObject({ fault: z.literal(kind), ...common, ...shape }, { error: mapExpected });
  const schema = keys.transform((input): FaultInput => {
    const own = input as unknown as z.output<z.ZodObject<Shape>>;
    return { common: input as unknown as CommonInput, effect: effectOf(own) };
  });
  return { schema, keys };
}

const STATUS = 'an HTTP status from 200 to 599';
const KEEP = 'a number from 0 to below 1';
/** What the venue can hold as one text, with room for the answer itself. */
const MOST_PADDING = 500 * 1024 * 1024;
const PADDING = `a whole number of bytes, at most ${MOST_PADDING}`;
const MOST_COPIES = 1_000;
const COPIES = `a whole number from 1 to ${MOST_COPIES}`;
/** Of a header, which holds nothing else. */
const ADDRESS = 'an address of visible ASCII characters';
const answers = ['none', 'unavailable', 'gateway-page', 'reset'] as const;
const share = fraction(SHARE).default(1);

export const FAULT_SCHEMAS: Readonly<Record<FaultKind, FaultSchema>> = {
  'lost-request': fault('lost-request', {}, () => ({ kind: 'lost-request' })),
  'lost-response': fault('lost-response', {}, () => ({ kind: 'lost-response' })),
  unavailable: fault('unavailable', { executed: yesOrNo, msg }, ({ executed, msg }) => ({
    kind: 'unavailable',
    executed,
    msg,
  })),
  'gateway-page': fault(
    'gateway-page',
    {
      executed: yesOrNo,
      status: z.int(STATUS).min(200, STATUS).max(599, STATUS).default(502),
      location: z
        .string(ADDRESS)
        .regex(/^[\x21-\x7e]+$/, ADDRESS)
        .optional(),
    },
    ({ executed, status, location }) => ({ kind: 'gateway-page', executed, status, location }),
  ),
  truncated: fault(
    'truncated',
    {
      keep: z.number(KEEP).min(0, KEEP).lt(1, KEEP).default(0.5),
      framing: z.enum(['broken', 'whole'], 'broken or whole').default('broken'),
    },
    ({ keep, framing }) => ({ kind: 'truncated', keep, framing }),
  ),
  trickle: fault('trickle', { bytes: count.default(1), pause: duration.prefault('100ms') }, (own) => ({
    kind: 'trickle',
    bytes: own.bytes,
    everyMs: own.pause,
  })),
  'huge-answer': fault(
    'huge-answer',
    {
      bytes: z
        .int(PADDING)
        .min(1, PADDING)
        .max(MOST_PADDING, PADDING)
        .default(16 * 1024 * 1024),
    },
    ({ bytes }) => ({ kind: 'huge-answer', bytes }),
  ),
  reset: fault('reset', { executed: yesOrNo }, ({ executed }) => ({ kind: 'reset', executed })),
  'late-execution': fault(
    'late-execution',
    {
      delay: span,
      answer: z.enum([...answers, 'own'], 'none, unavailable, gateway-page, reset or own').default('none'),
      msg,
    },
    ({ delay, answer, msg }) => ({ kind: 'late-execution', delayMs: delay, answer, msg }),
  ),
  throttle: fault('throttle', { wait: duration.prefault('1s') }, ({ wait }) => ({
    kind: 'throttle',
    waitMs: wait,
  })),
  outage: fault(
    'outage',
    { answer: z.enum(answers, 'none, unavailable, gateway-page or reset').default('gateway-page'), msg },
    ({ answer, msg }) => ({ kind: 'outage', answer, msg }),
  ),
  freeze: fault(
    'freeze',
    { thaw: z.enum(['execute', 'drop'], 'execute or drop').default('execute') },
    ({ thaw }) => ({ kind: 'freeze', thaw }),
  ),
  'stale-read': fault('stale-read', { age: span.optional() }, ({ age }) => ({
    kind: 'stale-read',
    ageMs: age,
  })),
  'late-visibility': fault('late-visibility', { delay: span }, ({ delay }) => ({
    kind: 'late-visibility',
    delayMs: delay,
  })),
  'reordered-rows': fault(
    'reordered-rows',
    { order: z.enum(['shuffle', 'reverse'], 'shuffle or reverse').default('shuffle') },
    ({ order }) => ({ kind: 'reordered-rows', order }),
  ),
  'duplicated-rows': fault('duplicated-rows', { share: fraction(SHARE).default(0) }, (own) => ({
    kind: 'duplicated-rows',
    share: own.share,
  })),
  'unknown-status': fault(
    'unknown-status',
    { status: text('a text').default('SUSPENDED'), share },
    ({ status, share }) => ({ kind: 'unknown-status', status, share }),
  ),
  'altered-field': fault(
    'altered-field',
    {
      field: text('the name of a field'),
      value: z.union(
        [z.string(), z.number(), z.boolean(), z.null()],
        'a text, a number, true, false or null',
      ),
      share,
    },
    ({ field, value, share }) => ({ kind: 'altered-field', field, value, share }),
  ),
  'duplicate-execution': fault(
    'duplicate-execution',
    {
      copies: z.int(COPIES).min(1, COPIES).max(MOST_COPIES, COPIES).default(1),
      gap: span.prefault('0ms'),
      answer: z.enum(['first', 'last'], 'first or last').default('first'),
    },
    ({ copies, gap, answer }) => ({ kind: 'duplicate-execution', copies, gapMs: gap, answer }),
  ),
  delay: fault('delay', { delay: span }, ({ delay }) => ({ kind: 'delay', delayMs: delay })),
  'clock-skew': fault('clock-skew', { offset }, (own) => ({ kind: 'clock-skew', offsetMs: own.offset })),
};

export const planSchema = z.strictObject(
  {
    version: z.literal(1, '1'),
    seed: z.union([z.int(), text('a text')], 'a whole number or a text').default(0),
    /** Each is checked by the schema of its fault. */
    rules: z.array(z.unknown(), 'a list of rules').min(1, 'at least one rule'),
  },
  { error: mapExpected },
);

function isAscending([low, high]: readonly [number, number]): boolean {
  return low <= high;
}

function mapExpected(issue: { readonly code: string }): string | undefined {
  return issue.code === 'invalid_type' ? 'a map' : undefined;
}
