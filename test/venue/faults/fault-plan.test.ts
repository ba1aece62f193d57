import { describe, expect, test } from 'vitest';
import type { FaultEffect } from '../../../src/model/fault-rule.js';
import { fateOf } from '../../../src/venue/faults/fate.js';
import { scheduleOf } from '../../../src/venue/faults/fault-plan.js';
import { LOST, planOf, request, rule, START, struckOf } from './plan.js';

const SKEW: FaultEffect = { kind: 'clock-skew', offsetMs: 5 };
const SHUFFLE: FaultEffect = { kind: 'reordered-rows', order: 'shuffle' };

describe('a rule strikes', () => {
  test.each([
    ['always when nothing is said', {}, [1, 2, 3, 4, 5, 6, 7]],
    ['the n-th requests', { index: [2, 5] }, [2, 5]],
    ['each n-th request', { every: 3 }, [3, 6]],
    ['from the first to the last of a range', { requests: [3, 5] }, [3, 4, 5]],
    ['at most as often as its limit says', { limit: 2 }, [1, 2]],
    ['where all that is said holds', { every: 2, requests: [3, 7], limit: 1 }, [4]],
    ['never with a probability of 0', { probability: 0 }, []],
    ['always with a probability of 1', { probability: 1 }, [1, 2, 3, 4, 5, 6, 7]],
  ] as const)('%s', (_name, when, struck) => {
    expect(struckOf(planOf([rule({ when })]), 7)).toEqual(struck);
  });

  test('inside its window of venue time, the end excluded, and again where it repeats', () => {
    const when = { window: { fromMs: 1_000, untilMs: 1_500, repeatMs: 10_000 } };
    const at = (ms: number) => request({ time: START + ms });
    const plan = planOf([rule({ when })]);
    const times = [0, 999, 1_000, 1_499, 1_500, 10_999, 11_000, 11_499, 11_500, 21_200];
    expect(times.filter((ms) => plan.decide(at(ms)).length > 0)).toEqual([
      1_000, 1_499, 11_000, 11_499, 21_200,
    ]);
  });

  test('a window without an end for good', () => {
    const plan = planOf([rule({ when: { window: { fromMs: 10, untilMs: Number.POSITIVE_INFINITY } } })]);
    expect([9, 10, 1e9].map((ms) => plan.decide(request({ time: START + ms })).length)).toEqual([0, 1, 1]);
  });

  test('as often as its probability says, within four standard deviations', () => {
    const strikes = struckOf(planOf([rule({ when: { probability: 0.02 } })], 'statistics'), 50_000).length;
    expect(Math.abs(strikes - 1_000)).toBeLessThan(4 * Math.sqrt(50_000 * 0.02 * 0.98));
  });
});

describe('a place', () => {
  const paths = ['/auth/order', '/auth/order/bulk', '/orders', '/active_orders', '/trades', '/authxorder'];
  test.each([
    [['/auth/order'], ['/auth/order']],
    [['/auth/*'], ['/auth/order', '/auth/order/bulk']],
    [['*orders'], ['/orders', '/active_orders']],
    [
      ['/trades', '*/bulk'],
      ['/auth/order/bulk', '/trades'],
    ],
    [['/auth.order'], []],
    [['/ORDERS'], []],
  ])('of paths %j holds %j', (pattern, held) => {
    const plan = planOf([rule({ place: { paths: pattern } })]);
    expect(paths.filter((path) => plan.decide(request({ path })).length > 0)).toEqual(held);
  });

  test('may ask for a method, an account, reads or writes', () => {
    const requests = [
      request(),
      request({ account: 'bert' }),
      request({ method: 'GET' }),
      request({ method: 'HEAD', account: undefined }),
    ];
    const held = (place: Parameters<typeof rule>[0]) =>
      requests.map((each) => planOf([rule(place)]).decide(each).length);
    expect(held({ place: { method: 'GET' } })).toEqual([0, 0, 1, 0]);
    expect(held({ place: { account: 'bert' } })).toEqual([0, 1, 0, 0]);
    expect(held({ place: { calls: 'read' } })).toEqual([0, 0, 1, 1]);
    expect(held({ place: { calls: 'write' } })).toEqual([1, 1, 0, 0]);
    expect(held({ place: { calls: 'all' } })).toEqual([1, 1, 1, 1]);
  });

  test('counts only its own requests', () => {
    const plan = planOf([rule({ place: { paths: ['/orders'] }, when: { index: [2] } })]);
    const path = (n: number) => (n % 3 === 0 ? '/orders' : '/trades');
    expect(struckOf(plan, 9, (n) => request({ path: path(n) }))).toEqual([6]);
  });
});

describe('chance', () => {
  const half = rule({ when: { probability: 0.5 } });

  test('is the same for the same seed, and another for another', () => {
    const struck = (seed: string | number) => struckOf(planOf([half], seed), 200);
    expect(struck(7)).toEqual(struck(7));
    expect(struck(7)).toEqual(struck('7'));
    expect(struck(7)).not.toEqual(struck(8));
  });

  test('of a rule is not disturbed by other rules, nor by requests elsewhere', () => {
    const skewed = rule({
      name: 'skewed',
      effect: SKEW,
      place: { paths: ['/orders'] },
      when: { probability: 0.5 },
    });
    const others = [
      rule({ name: 'mixed', effect: SHUFFLE, when: { probability: 0.3, limit: 20 } }),
      rule({ name: 'late', effect: { kind: 'delay', delayMs: [1, 900] }, when: { every: 3 } }),
    ];
    const alone = planOf([skewed]);
    const crowded = planOf([...others, skewed, rule({ ...skewed, name: 'the same' })]);
    const orders = request({ path: '/orders' });
    let strikes = 0;
    for (let n = 1; n <= 300; n++) {
      if (n % 2 === 0) crowded.decide(request({ account: 'bert' }));
      const expected = alone.decide(orders).length > 0;
      expect(crowded.decide(orders).some((decision) => decision.rule === 'skewed')).toBe(expected);
      if (expected) strikes += 1;
    }
    expect(strikes).toBeGreaterThan(100);
  });

  test('of two rules that differ only in their names is not the same', () => {
    const named = (name: string) => struckOf(planOf([rule({ name, when: { probability: 0.5 } })]), 100);
    expect(named('one')).not.toEqual(named('other'));
  });

  test('goes on by one step at each request at the place, struck or not', () => {
    const limited = planOf([rule({ when: { probability: 0.5, requests: [100, 200] } })]);
    const all = planOf([half]);
    expect(struckOf(limited, 200)).toEqual(struckOf(all, 200).filter((n) => n >= 100));
  });

  test('draws spans inside their bounds, each time anew', () => {
    const late: FaultEffect = { kind: 'late-execution', delayMs: [1_000, 2_000], answer: 'none', msg: '' };
    const plan = planOf([rule({ effect: late })]);
    const delays = Array.from({ length: 500 }, () => {
      const effect = plan.decide(request())[0]?.effect;
      return effect?.kind === 'late-execution' ? effect.delayMs : [0, 1];
    });
    expect(
      delays.every(([low, high]) => low === high && low !== undefined && low >= 1_000 && low <= 2_000),
    ).toBe(true);
    expect(new Set(delays.map(([low]) => low)).size).toBeGreaterThan(300);
  });
});

describe('what strikes', () => {
  test('an outage is written out as what it does to a request', () => {
    const effectOf = (answer: 'none' | 'reset' | 'gateway-page' | 'unavailable') =>
      planOf([rule({ effect: { kind: 'outage', answer, msg: 'closed' } })]).decide(request())[0]?.effect;
    expect(effectOf('none')).toEqual({ kind: 'lost-request' });
    expect(effectOf('reset')).toEqual({ kind: 'reset', executed: false });
    expect(effectOf('gateway-page')).toMatchObject({ kind: 'gateway-page', executed: false, status: 502 });
    expect(effectOf('unavailable')).toEqual({ kind: 'unavailable', executed: false, msg: 'closed' });
  });

  test('a freeze lasts to the end of its window, the window at hand where it repeats', () => {
    const window = { fromMs: 1_000, untilMs: 6_000, repeatMs: 60_000 };
    const effectAt = (ms: number, thaw: 'execute' | 'drop') =>
      planOf([rule({ effect: { kind: 'freeze', thaw }, when: { window } })]).decide(
        request({ time: START + ms }),
      )[0]?.effect;
    expect(effectAt(1_500, 'execute')).toMatchObject({
      kind: 'late-execution',
      delayMs: [4_500, 4_500],
      answer: 'own',
    });
    expect(effectAt(65_999, 'execute')).toMatchObject({ delayMs: [1, 1] });
    expect(effectAt(1_500, 'drop')).toEqual({ kind: 'lost-request' });
  });

  test('a frozen feed is as old as its window', () => {
    const frozen = rule({
      effect: { kind: 'stale-read', ageMs: undefined },
      when: { window: { fromMs: 2_000, untilMs: 9_000 } },
    });
    const [decision] = planOf([frozen]).decide(request({ method: 'GET', time: START + 5_300 }));
    expect(decision?.effect).toEqual({ kind: 'stale-read', ageMs: [3_300, 3_300] });
  });
});

describe('rules that contradict each other', () => {
  const reset: FaultEffect = { kind: 'reset', executed: false };

  test('the first one counts, and the others keep their limit', () => {
    const plan = planOf([
      rule({ name: 'lost', when: { index: [1] } }),
      rule({ name: 'reset', effect: reset, when: { limit: 1 } }),
    ]);
    const rules = [1, 2, 3].map(() => plan.decide(request()).map((decision) => decision.rule));
    expect(rules).toEqual([['lost'], ['reset'], []]);
    expect(plan.report().rules).toEqual([
      { name: 'lost', kind: 'lost-request', matched: 3, struck: 1, overruled: 0 },
      { name: 'reset', kind: 'reset', matched: 3, struck: 1, overruled: 1 },
    ]);
  });

  test('nothing is left for the records of an answer that never comes', () => {
    const plan = planOf([rule({ name: 'rows', effect: SHUFFLE }), rule({ name: 'lost', effect: LOST })]);
    expect(plan.decide(request()).map((decision) => decision.rule)).toEqual(['lost']);
    expect(plan.log.map((decision) => [decision.rule, decision.applied])).toEqual([
      ['rows', false],
      ['lost', true],
    ]);
  });

  test('those that do not contradict each other all strike', () => {
    const plan = planOf([
      rule({
        name: 'twice',
        effect: { kind: 'duplicate-execution', copies: 1, gapMs: [0, 0], answer: 'first' },
      }),
      rule({ name: 'lost answer', effect: { kind: 'lost-response' } }),
      rule({ name: 'delay', effect: { kind: 'delay', delayMs: [5, 5] } }),
    ]);
    expect(plan.decide(request()).map((decision) => decision.rule)).toEqual(['twice', 'lost answer']);
  });

  test('what is never executed is not executed twice', () => {
    const twice: FaultEffect = { kind: 'duplicate-execution', copies: 1, gapMs: [5, 5], answer: 'first' };
    const plan = planOf([rule({ name: 'twice', effect: twice }), rule({ name: 'lost' })]);
    expect(fateOf(plan.decide(request()))?.executions).toEqual([]);
  });

  test('a write is never stale', () => {
    const stale = planOf([rule({ effect: { kind: 'stale-read', ageMs: [5, 5] } })]);
    expect(stale.decide(request())).toEqual([]);
    expect(stale.decide(request({ method: 'GET' }))).toHaveLength(1);
  });

  test('two rules of one name are refused', () => {
    expect(() => planOf([rule(), rule()])).toThrow(
      /each rule must have a name of its own, received rule twice/,
    );
  });
});

describe('the log', () => {
  test('says which rule struck which request, and how', () => {
    const plan = planOf([rule({ name: 'second', place: { paths: ['/orders'] }, when: { index: [2] } })], 9);
    plan.decide(request());
    plan.decide(request({ path: '/orders', method: 'GET' }));
    plan.decide(request({ path: '/orders', method: 'GET', account: 'bert', time: START + 7 }));
    expect(plan.log).toEqual([
      {
        request: 3,
        time: START + 7,
        method: 'GET',
        path: '/orders',
        account: 'bert',
        rule: 'second',
        kind: 'lost-request',
        match: 2,
        effect: LOST,
        seed: '9/second/2',
        applied: true,
      },
    ]);
    expect(plan.report()).toMatchObject({ requests: 3, decisions: plan.log });
  });

  test('keeps the newest decisions only', async () => {
    const { FaultPlan } = await import('../../../src/venue/faults/fault-plan.js');
    const plan = new FaultPlan({ seed: 1, rules: [rule()] }, { startTime: START, remembered: 10 });
    for (let n = 0; n < 105; n++) plan.decide(request());
    expect(plan.log.map((decision) => decision.request)).toEqual([
      96, 97, 98, 99, 100, 101, 102, 103, 104, 105,
    ]);
  });
});

test('a schedule of what was done does it again, whatever the probabilities were', () => {
  const rules = [
    rule({
      name: 'late',
      effect: { kind: 'late-execution', delayMs: [1, 9_999], answer: 'none', msg: '' },
      when: { probability: 0.1 },
    }),
    rule({
      name: 'freeze',
      effect: { kind: 'freeze', thaw: 'execute' },
      when: { window: { fromMs: 50, untilMs: 60 } },
    }),
    rule({ name: 'mixed', effect: SHUFFLE, when: { probability: 0.3 } }),
  ];
  const requests = Array.from({ length: 200 }, (_, n) => request({ time: START + n }));
  const first = planOf(rules, 5);
  const done = requests.map((each) => first.decide(each).map(({ effect, seed }) => ({ effect, seed })));
  const schedule = scheduleOf(first.log);
  const second = planOf(schedule.rules, 'another seed');
  const again = requests.map((each) => second.decide(each).map(({ effect, seed }) => ({ effect, seed })));
  expect(done.flat().length).toBeGreaterThan(30);
  expect(again).toEqual(done);
  const without = planOf(schedule.rules.slice(1), 0);
  const fewer = requests.flatMap((each) => without.decide(each));
  expect(fewer).toHaveLength(done.flat().length - 1);
});
