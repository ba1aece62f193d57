import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseFaultPlan } from '../../src/config/fault-plan.js';
import { FAULT_SCHEMAS } from '../../src/config/fault-schema.js';
import type { FaultRule } from '../../src/model/fault-rule.js';

const parse = (text: string) => parseFaultPlan({ text, shown: 'faults.yaml', environment: {} });

/** The one rule of a plan that is written as the items of one flow map. */
function rule(items: string): FaultRule {
  const [first] = parse(`version: 1\nrules:\n  - { ${items} }\n`).rules;
  if (first === undefined) throw new Error('a rule must come of it');
  return first;
}

function complaint(text: string): string {
  try {
    parse(text);
  } catch (error) {
    return (error as Error).message;
  }
  return 'no complaint';
}

const complaintAbout = (items: string) => complaint(`version: 1\nrules:\n  - { ${items} }\n`);

test('a rule is a fault, a place and a time', () => {
  const plan = parse(`
version: 1
seed: seven
rules:
  - name: lost answers
    fault: lost-response
    place: { path: [/auth/order, /auth/cancel*], method: POST, account: anna, calls: write }
    probability: 0.25
    index: [3, 5]
    every: 2
    between: [10, 20]
    from: 90s
    for: 2m
    repeat: 1h
    limit: 4
`);
  expect(plan).toEqual({
    seed: 'seven',
    rules: [
      {
        name: 'lost answers',
        place: { paths: ['/auth/order', '/auth/cancel*'], method: 'POST', account: 'anna', calls: 'write' },
        when: {
          probability: 0.25,
          index: [3, 5],
          every: 2,
          requests: [10, 20],
          window: { fromMs: 90_000, untilMs: 210_000, repeatMs: 3_600_000 },
          limit: 4,
        },
        effect: { kind: 'lost-response' },
      },
    ],
  });
});

test('what is left out is anywhere, always, with seed 0, and called after its fault', () => {
  const plan = parse(
    'version: 1\nrules:\n  - fault: lost-request\n  - fault: lost-request\n  - fault: lost-response\n',
  );
  expect(plan.seed).toBe(0);
  expect(plan.rules.map(({ name }) => name)).toEqual(['lost-request', 'lost-request 2', 'lost-response']);
  expect(plan.rules[0]).toEqual({
    name: 'lost-request',
    place: {},
    when: {},
    effect: { kind: 'lost-request' },
  });
});

test.each<[string, object]>([
  ['fault: unavailable, executed: true, msg: busy', { kind: 'unavailable', executed: true, msg: 'busy' }],
  [
    'fault: gateway-page, executed: false',
    { kind: 'gateway-page', executed: false, status: 502, location: undefined },
  ],
  ['fault: truncated', { kind: 'truncated', keep: 0.5, framing: 'broken' }],
  ['fault: trickle, bytes: 3, pause: 1s', { kind: 'trickle', bytes: 3, everyMs: 1_000 }],
  ['fault: huge-answer', { kind: 'huge-answer', bytes: 16_777_216 }],
  ['fault: reset, executed: false', { kind: 'reset', executed: false }],
  [
    'fault: late-execution, delay: [1s, 2m], answer: own, msg: x',
    { kind: 'late-execution', delayMs: [1_000, 120_000], answer: 'own', msg: 'x' },
  ],
  ['fault: throttle, wait: 43ms', { kind: 'throttle', waitMs: 43 }],
  ['fault: outage, answer: reset, msg: x', { kind: 'outage', answer: 'reset', msg: 'x' }],
  ['fault: freeze, thaw: drop', { kind: 'freeze', thaw: 'drop' }],
  ['fault: stale-read, age: 5s', { kind: 'stale-read', ageMs: [5_000, 5_000] }],
  ['fault: stale-read, from: 1s', { kind: 'stale-read', ageMs: undefined }],
  ['fault: late-visibility, delay: 3s', { kind: 'late-visibility', delayMs: [3_000, 3_000] }],
  ['fault: reordered-rows', { kind: 'reordered-rows', order: 'shuffle' }],
  ['fault: duplicated-rows, share: 0.5', { kind: 'duplicated-rows', share: 0.5 }],
  ['fault: unknown-status', { kind: 'unknown-status', status: 'SUSPENDED', share: 1 }],
  [
    'fault: altered-field, field: size, value: 0',
    { kind: 'altered-field', field: 'size', value: 0, share: 1 },
  ],
  [
    'fault: altered-field, field: fee, value: null',
    { kind: 'altered-field', field: 'fee', value: null, share: 1 },
  ],
  [
    'fault: duplicate-execution, gap: 1s, answer: last',
    { kind: 'duplicate-execution', copies: 1, gapMs: [1_000, 1_000], answer: 'last' },
  ],
  ['fault: delay, delay: 250ms', { kind: 'delay', delayMs: [250, 250] }],
  ['fault: clock-skew, offset: -1500ms', { kind: 'clock-skew', offsetMs: -1_500 }],
  ['fault: clock-skew, offset: 2s', { kind: 'clock-skew', offsetMs: 2_000 }],
])('{ %s } is understood', (items, effect) => {
  expect(rule(items).effect).toEqual(effect);
});

test('a 503 of a fault plan is on no list of definite refusals unless it is written so', async () => {
  const { isDefiniteRefusal, VENUE_PROFILES } = await import('../../src/client/profile.js');
  const { effect } = rule('fault: unavailable, executed: true');
  const msg = effect.kind === 'unavailable' ? effect.msg : 'no message';
  for (const profile of VENUE_PROFILES.values()) expect(isDefiniteRefusal(profile, msg)).toBe(false);
});

test('a time window is written in either way, and one without an end is open', () => {
  const window = (items: string) => rule(`fault: lost-request, ${items}`).when.window;
  expect(window('between: [30s, 40s]')).toEqual({ fromMs: 30_000, untilMs: 40_000 });
  expect(window('from: 30s, for: 10s')).toEqual({ fromMs: 30_000, untilMs: 40_000 });
  expect(window('for: 10s')).toEqual({ fromMs: 0, untilMs: 10_000 });
  expect(window('from: 10s')).toEqual({ fromMs: 10_000, untilMs: Number.POSITIVE_INFINITY });
});

test('faults of reads look at reads', () => {
  expect(rule('fault: stale-read, age: 1s').place.calls).toBe('read');
  expect(rule('fault: late-visibility, delay: 1s').place.calls).toBe('read');
});

describe('a complaint names the place and what is expected', () => {
  test('with line, column and a caret, all of them at once', () => {
    const text =
      'version: 1\nrules:\n  - fault: lost-responce\n  - fault: delay\n    delay: soon\n    probability: 2\n';
    const lines = complaint(text).split('\n');
    expect(lines[0]).toMatch(
      /^faults\.yaml:3:12 rules\[0\]\.fault: expected one of lost-request, .*, received "lost-responce" \(did you mean lost-response\?\)$/,
    );
    expect(lines.slice(1, 3)).toEqual([
      '  3 |   - fault: lost-responce',
      `    |            ${'^'.repeat(13)}`,
    ]);
    expect(lines[3]).toMatch(
      /^faults\.yaml:5:12 rules\[1\]\.delay: expected a duration like 500ms.*received "soon"$/,
    );
    expect(lines[6]).toMatch(
      /^faults\.yaml:6:18 rules\[1\]\.probability: expected a probability from 0 to 1, received 2$/,
    );
    expect(lines).toHaveLength(9);
  });

  test.each([
    ['fault: lost-request, probabilty: 0.5', /:28 rules\[0\]\.probabilty: .*\(did you mean probability\?\)/],
    [
      'fault: lost-request, place: { pth: /x }',
      /rules\[0\]\.place\.pth: expected one of path, method, account, calls/,
    ],
    ['fault: lost-request, executed: true', /rules\[0\]\.executed: expected one of fault, name, place/],
    ['fault: unavailable', /rules\[0\]\.executed: expected true or false, received nothing/],
    ['place: { path: /x }', /rules\[0\]\.fault: expected one of .*, received nothing/],
    ['fault: delay, delay: [5s, 1s]', /rules\[0\]\.delay: expected a duration.*received a list/],
    ['fault: lost-request, between: [20, 10]', /between: expected two whole numbers in order/],
    ['fault: lost-request, between: [20s, 10]', /between: expected two whole numbers in order/],
    ['fault: lost-request, between: [10s, 10s]', /between: expected two whole numbers in order/],
    ['fault: lost-request, index: 0', /index: expected a whole number of at least 1/],
    ['fault: lost-request, between: [1s, 2s], from: 3s', /between: expected one time window/],
    ['fault: lost-request, for: 0ms', /for: expected a duration above 0/],
    ['fault: lost-request, repeat: 5s', /repeat: expected a window to repeat/],
    [
      'fault: lost-request, from: 5s, repeat: 5s',
      /repeat: expected a duration that is not shorter .* that ends/,
    ],
    ['fault: lost-request, for: 5s, repeat: 4s', /repeat: expected a duration that is not shorter/],
    ['fault: stale-read', /fault: expected an age, or a time window/],
    ['fault: stale-read, age: 1s, place: { calls: write }', /place: expected reads/],
    ['fault: late-visibility, delay: 1s, place: { method: POST }', /place: expected reads/],
    ['fault: truncated, keep: 1', /keep: expected a number from 0 to below 1, received 1/],
    ['fault: gateway-page, executed: true, status: 700', /status: expected an HTTP status/],
    [
      'fault: gateway-page, executed: true, location: "http://x/✓"',
      /location: expected an address of visible ASCII/,
    ],
    [
      'fault: gateway-page, executed: true, location: "http://x/ y"',
      /location: expected an address of visible ASCII/,
    ],
    [
      'fault: huge-answer, bytes: 536870912',
      /bytes: expected a whole number of bytes, at most 524288000, received/,
    ],
    [
      'fault: duplicate-execution, copies: 1001',
      /copies: expected a whole number from 1 to 1000, received 1001/,
    ],
    ['fault: clock-skew, offset: 5', /offset: expected a duration like 500ms, or -2s, received 5/],
  ])('{ %s }', (items, message) => {
    expect(complaintAbout(items)).toMatch(message);
  });

  test.each([
    ['rules: [{ fault: lost-request }]', /version: expected 1, received nothing/],
    ['version: 1\nrules: []', /rules: expected at least one rule, received an empty list/],
    ['version: 1', /rules: expected a list of rules, received nothing/],
    ['version: 1\nrules: [5]', /rules\[0\]: expected a map with the key fault/],
    [
      'version: 1\nruels: [5]',
      /ruels: expected one of version, seed, rules, received ruels \(did you mean rules\?\)/,
    ],
    ['- 1', /expected a map, received a list/],
    ['version: [', /expected YAML/],
    ['', /expected a map, received nothing/],
    [
      'version: 1\nrules:\n  - { fault: lost-request, name: a }\n  - { fault: reset, executed: true, name: a }',
      /^faults\.yaml:4:\d+ rules\[1\]\.name: expected a name that no other rule has, received "a"/,
    ],
    [
      'version: 1\nrules:\n  - { fault: lost-request, name: reset }\n  - { fault: reset, executed: true }',
      /rules\[1\].*: expected a name that no other rule has, received "reset"/,
    ],
  ])('%j', (text, message) => {
    expect(complaint(text)).toMatch(message);
  });

  test('one that is too long is not read', () => {
    expect(complaint(`# ${'x'.repeat(1_048_576)}`)).toMatch(/expected at most 1048576 characters/);
  });
});

test('the example that ships is a plan, and has every fault there is', () => {
  const text = readFileSync(new URL('../../config/faults-example.yaml', import.meta.url), 'utf8');
  const kinds = new Set(parse(text).rules.map(({ effect }) => effect.kind));
  expect([...kinds].toSorted()).toEqual(Object.keys(FAULT_SCHEMAS).toSorted());
});
