import { describe, expect, test } from 'vitest';
import type { FaultEffect } from '../../../src/model/fault-rule.js';
import { fateOf } from '../../../src/venue/faults/fate.js';

const strikes = (...effects: readonly FaultEffect[]) =>
  effects.map((effect, n) => ({ effect, seed: `s${n}` }));
const WHOLE = { kind: 'whole' };

describe('the fate of a request', () => {
  test('is its ordinary way when nothing strikes', () => {
    expect(fateOf([])).toBeUndefined();
  });

  const page = { kind: 'page', status: 504, location: undefined };
  const late = (answer: 'none' | 'unavailable' | 'gateway-page' | 'reset' | 'own'): FaultEffect => ({
    kind: 'late-execution',
    delayMs: [700, 700],
    answer,
    msg: 'busy',
  });

  test.each<[string, FaultEffect, readonly number[], object]>([
    ['lost on the way in', { kind: 'lost-request' }, [], { kind: 'nothing' }],
    ['lost on the way out', { kind: 'lost-response' }, [0], { kind: 'nothing' }],
    [
      'unavailable before',
      { kind: 'unavailable', executed: false, msg: 'busy' },
      [],
      { kind: 'unavailable', msg: 'busy' },
    ],
    [
      'unavailable after',
      { kind: 'unavailable', executed: true, msg: 'busy' },
      [0],
      { kind: 'unavailable', msg: 'busy' },
    ],
    ['reset before', { kind: 'reset', executed: false }, [], { kind: 'reset' }],
    ['reset after', { kind: 'reset', executed: true }, [0], { kind: 'reset' }],
    ['throttled', { kind: 'throttle', waitMs: 9 }, [], { kind: 'throttled', waitMs: 9 }],
    ['late without an answer', late('none'), [700], { kind: 'nothing' }],
    ['late after a 503', late('unavailable'), [700], { kind: 'unavailable', msg: 'busy' }],
    ['late after a page', late('gateway-page'), [700], page],
    ['late after a reset', late('reset'), [700], { kind: 'reset' }],
    ['late and patient', late('own'), [700], { kind: 'own', execution: 0, form: WHOLE }],
    [
      'padded',
      { kind: 'huge-answer', bytes: 10 },
      [0],
      { kind: 'own', execution: 0, form: { kind: 'padded', bytes: 10 } },
    ],
  ])('%s', (_name, effect, executions, reply) => {
    expect(fateOf(strikes(effect))).toEqual({ executions, reply, delayMs: 0, content: [], skewMs: 0 });
  });

  test('a duplicate of a late request is later still, and its answer may be the one that counts', () => {
    const twice = (answer: 'first' | 'last'): FaultEffect => ({
      kind: 'duplicate-execution',
      copies: 2,
      gapMs: [100, 100],
      answer,
    });
    expect(fateOf(strikes(twice('last'), late('own')))).toMatchObject({
      executions: [700, 800, 900],
      reply: { kind: 'own', execution: 2 },
    });
    expect(fateOf(strikes(twice('first')))).toMatchObject({
      executions: [0, 100, 200],
      reply: { kind: 'own', execution: 0 },
    });
  });

  test('delays and skews add up, and faults of content keep their order and their seeds', () => {
    const fate = fateOf(
      strikes(
        { kind: 'delay', delayMs: [10, 10] },
        { kind: 'unknown-status', status: 'A', share: 1 },
        { kind: 'clock-skew', offsetMs: -300 },
        { kind: 'delay', delayMs: [5, 5] },
        { kind: 'reordered-rows', order: 'reverse' },
        { kind: 'clock-skew', offsetMs: 100 },
      ),
    );
    expect(fate).toMatchObject({ executions: [0], delayMs: 15, skewMs: -200 });
    expect(fate?.content.map(({ fault, seed }) => [fault.kind, seed])).toEqual([
      ['unknown-status', 's1'],
      ['reordered-rows', 's4'],
    ]);
  });
});
