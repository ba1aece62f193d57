import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AnswerHistory } from '../../../src/venue/faults/answer-history.js';

const answer = (body: string) => ({ status: 200, headers: {}, body });

test('gives the answer that was true then', () => {
  const history = new AnswerHistory(1_000);
  for (const [time, body] of [
    [100, 'a'],
    [150, 'a'],
    [200, 'b'],
    [300, 'a'],
  ] as const) {
    history.keep('key', time, answer(body));
  }
  const at = (time: number) => history.asOf('key', time)?.body;
  expect([100, 199, 200, 299, 300, 5_000].map(at)).toEqual(['a', 'a', 'b', 'b', 'a', 'a']);
});

test('a list that is kept by rows is given whole, and is the same answer again only with the same rows', () => {
  const history = new AnswerHistory(1_000);
  const bodyOf = (rows: readonly string[]) => `[${rows.join(',')}]`;
  const list = (...rows: readonly string[]) => ({ status: 200, headers: {}, rows, bodyOf });
  history.keep('key', 100, list('1'));
  history.keep('key', 150, list('1'));
  history.keep('key', 200, list('2'));
  history.keep('key', 250, list('2', '3'));
  history.keep('key', 300, { status: 503, headers: {}, body: 'busy' });
  const at = (time: number) => history.asOf('key', time)?.body;
  expect([100, 199, 200, 250, 300].map(at)).toEqual(['[1]', '[1]', '[2]', '[2,3]', 'busy']);
});

test('gives the oldest one known for a time before it, and nothing for what it never saw', () => {
  const history = new AnswerHistory(1_000);
  history.keep('key', 100, answer('a'));
  history.keep('key', 110, answer('b'));
  expect(history.asOf('key', 5)?.body).toBe('a');
  expect(history.asOf('other', 100)).toBeUndefined();
  history.forget('key');
  expect(history.asOf('key', 100)).toBeUndefined();
});

test('agrees with a list of everything for each time inside its span', () => {
  const step = fc.record({ wait: fc.integer({ min: 0, max: 40 }), body: fc.constantFrom('a', 'b', 'c') });
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 1, maxLength: 60 }),
      fc.integer({ min: 1, max: 300 }),
      (steps, spanMs) => {
        const history = new AnswerHistory(spanMs);
        const all: { readonly time: number; readonly body: string }[] = [];
        let now = 0;
        for (const { wait, body } of steps) {
          now += wait;
          all.push({ time: now, body });
          history.keep('key', now, answer(body));
        }
        const first = all[0]?.time ?? 0;
        for (let time = Math.max(first, now - spanMs); time <= now; time++) {
          const truth = all.findLast((each) => each.time <= time)?.body;
          expect(history.asOf('key', time)?.body).toBe(truth);
        }
      },
    ),
  );
});

test('of an answer that changes all the time all of its span is known exactly when that is short', () => {
  const history = new AnswerHistory(500);
  for (let time = 0; time < 5_000; time++) {
    history.keep('key', time, answer(String(time)));
    expect(history.asOf('key', time - 500)?.body).toBe(String(Math.max(0, time - 500)));
  }
});

test('of an answer that changes all the time both ends stay known, and what is between to a twentieth of its age', () => {
  const history = new AnswerHistory(Number.POSITIVE_INFINITY);
  for (let time = 0; time < 10_000; time++) history.keep('key', time, answer(String(time)));
  expect(history.asOf('key', 0)?.body).toBe('0');
  expect(history.asOf('key', 9_999)?.body).toBe('9999');
  for (const time of [100, 1_000, 5_000, 9_000, 9_900]) {
    const error = Math.abs(Number(history.asOf('key', time)?.body) - time);
    expect(error).toBeLessThanOrEqual((10_000 - time) / 20);
  }
});
