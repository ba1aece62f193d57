import { expect, it } from 'vitest';
import { haltStatusOf } from '../../src/daemon/latches.js';

const halt = (reason: string, by: string) => ({ level: 'cancel', reason, by }) as const;

it('a reason that a session has latched too is told once', () => {
  const own = halt('the news', 'HALT file /bot/HALT');
  expect(haltStatusOf([own, halt('USD_BTC_PERP: the news', 'panic')])).toMatchObject({
    reason: 'the news',
    by: own.by,
  });
  const other = halt('USD_BTC_PERP: not the news', 'panic');
  expect(haltStatusOf([own, other])?.reason).toBe('the news; USD_BTC_PERP: not the news');
});

it('what is latched has another mark each time something is added, told or not', () => {
  const own = halt('the news', 'me');
  const marks = [[own], [own, halt('USD_BTC_PERP: the news', 'panic')]].map(
    (latches) => haltStatusOf(latches)?.mark,
  );
  expect(new Set(marks).size).toBe(2);
});
