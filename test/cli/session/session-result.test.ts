import { describe, expect, it } from 'vitest';
import { exitCodeOf } from '../../../src/cli/session/foreground.js';
import type { SessionEnd } from '../../../src/cli/session/running-session.js';
import { type Standstill, standstillOf, withVenueLots } from '../../../src/cli/session/standstill.js';
import { resultText, sessionResult } from '../../../src/cli/session-result.js';
import { standstillText } from '../../../src/cli/view/standstill-text.js';
import type { Lots } from '../../../src/model/grid.js';
import { FLAT } from '../../../src/model/position.js';
import { BTC } from '../../support/markets.js';

const FACTS = { mode: 'live', market: BTC, strategy: 'idle', elapsedMs: 8_000, capture: 'here' } as const;

function endWith(standstill: Standstill | undefined): SessionEnd {
  const counts = { trades: 1, gaps: 0, orders: 0, fills: 0, refusals: 0, rejections: 0 };
  return {
    counts: { ...counts, inputs: 1 } as SessionEnd['counts'],
    reasons: { refused: [], rejected: [], canceled: [] },
    limits: [],
    protection: undefined,
    polls: 1,
    missing: 0,
    position: FLAT,
    lastPrice: 50_000,
    wantsHash: 'w',
    decisionHash: 'd',
    leftOpen: [],
    keptStops: [],
    canceledStops: [],
    suspense: [],
    standstill,
    capture: 'here',
    captureFailure: undefined,
  };
}

describe('the result of a session', () => {
  it('names a quarantine, and whose word the position is where the venue says another', () => {
    const end = endWith({
      quarantine: 'fill 7 is of no order of ours',
      halt: undefined,
      haltEnds: [],
      venueLots: 50 as Lots,
    });
    expect(sessionResult(FACTS, end)).toMatchObject({
      quarantine: 'fill 7 is of no order of ours',
      position: '0',
      venuePosition: '0.05',
    });
    expect(sessionResult(FACTS, end)).not.toHaveProperty('halt');
    const text = resultText(FACTS, end);
    expect(text).toContain('\n  QUARANTINED: fill 7 is of no order of ours\n');
    expect(text).toContain('\n  position  flat by own fills; the venue says 0.05 BTC\n');
    for (const reason of ['time', 'SIGTERM'] as const) {
      expect(exitCodeOf({ end, elapsedMs: 1, reason })).toBe(3);
    }
  });

  it('says for how long positions had no stop, where that was counted', () => {
    const protection = {
      heldMs: 60_000,
      bareMs: 15_000,
      longestBareMs: 10_000,
      bareNotionalSeconds: '1.00',
      limitHits: 2,
    };
    const end = { ...endWith(undefined), protection };
    expect(sessionResult(FACTS, end)).toMatchObject({ protection });
    expect(resultText(FACTS, end).replaceAll('\u00a0', ' ')).toContain(
      '\n  no stop   25.00 % of the time held, 10 s at the longest; 2 × limits.maxBareTime was reached\n',
    );
    expect(sessionResult(FACTS, endWith(undefined))).not.toHaveProperty('protection');
    expect(resultText(FACTS, endWith(undefined))).not.toContain('no stop');
  });

  it('names a halt that is latched', () => {
    const end = endWith({
      quarantine: undefined,
      halt: 'pause (a fall)',
      haltEnds: ['resume'],
      venueLots: undefined,
    });
    expect(sessionResult(FACTS, end)).toMatchObject({ halt: 'pause (a fall)' });
    expect(resultText(FACTS, end)).toContain('\n  HALTED: pause (a fall)\n');
    expect(exitCodeOf({ end, elapsedMs: 1, reason: 'time' })).toBe(3);
  });

  it.each([
    [undefined, undefined, 0, ''],
    [{ kind: 'checked', identical: true }, true, 0, 'a second process computed the same decisions'],
    [{ kind: 'checked', identical: false }, false, 3, 'NOT the same: a second process'],
    [{ kind: 'unchecked', reason: 'who knows' }, undefined, 0, 'not checked'],
  ] as const)('says what a second process made of its inputs: %o', (parity, key, code, words) => {
    const end = endWith(undefined);
    const facts = { ...FACTS, parity };
    expect(sessionResult(facts, end).parity).toBe(key);
    expect(Object.hasOwn(sessionResult(facts, end), 'parity')).toBe(key !== undefined);
    expect(resultText(facts, end)).toContain(words);
    expect(exitCodeOf({ end, elapsedMs: 1, reason: 'time' }, parity)).toBe(code);
    const unproven = { ...end, leftOpen: ['7'] };
    expect(exitCodeOf({ end: unproven, elapsedMs: 1, reason: 'time' }, parity)).toBe(5);
  });

  it('has nothing of it when there is none', () => {
    const end = endWith(undefined);
    for (const key of ['quarantine', 'halt', 'venuePosition']) {
      expect(sessionResult(FACTS, end)).not.toHaveProperty(key);
    }
    expect(resultText(FACTS, end)).toContain('\n  position  flat\n');
    expect(exitCodeOf({ end, elapsedMs: 1, reason: 'time' })).toBe(0);
  });
});

describe('what keeps a pair from trading on', () => {
  const books = { quarantine: () => 'a visitor', halt: undefined, haltReason: undefined, halts: [] };
  const says = (size: number) => ({
    position: () => Promise.resolve({ size, direction: 'buy' } as never),
  });

  it('is told without a question to the venue, and has its position where that is another one and it says so', async () => {
    const standstill = standstillOf(books, BTC.pair);
    expect(standstill).toMatchObject({ quarantine: 'a visitor', halt: undefined, venueLots: undefined });
    const at = (api: Parameters<typeof withVenueLots>[1]) => withVenueLots(standstill!, api, BTC, FLAT);
    expect(await at(says(0.05))).toEqual({ ...standstill, venueLots: 50 });
    expect(await at(says(0))).toEqual(standstill);
    expect(await at({ position: () => Promise.reject(new Error('gone')) })).toEqual(standstill);
  });

  it('is nothing while nobody has to look', () => {
    const calm = { ...books, quarantine: () => undefined };
    expect(standstillOf(calm, BTC.pair)).toBeUndefined();
  });

  it('is ended by room on the disk where the disk halted it, and by a resume where a halt is latched', () => {
    const hintsWith = (haltFile: string | undefined, ...by: readonly string[]) => {
      const halts = by.map((each) => ({ level: 'cancel', reason: 'why', by: each }) as const);
      const halted = { quarantine: () => undefined, halt: 'cancel', haltReason: 'why', halts } as const;
      const text = standstillText(BTC.pair, standstillOf(halted, BTC.pair)!, {
        quarantineEnd: undefined,
        journal: 'bot',
        haltFile,
      });
      expect(text.split('\n')[0]).toBe(`warning: ${BTC.pair} is HALTED: cancel (why)`);
      return text.split('\n').slice(1);
    };
    const hints = (...by: readonly string[]) => hintsWith(undefined, ...by);
    const room = 'hint: make room on the disk of bot; the next start needs nothing else for it';
    expect(hints('disk')).toEqual([room]);
    expect(hints('anna')).toEqual(['hint: tickwright resume --journal bot --reason TEXT ends it']);
    expect(hints('anna', 'disk')).toEqual([
      'hint: tickwright resume --journal bot --reason TEXT ends what is latched',
      room,
    ]);
    const gone =
      "hint: rm 'my bot/HALT' comes first: while it is there, each start halts again and resume fails";
    expect(hintsWith('my bot/HALT', 'HALT file my bot/HALT')).toEqual([
      gone,
      'hint: tickwright resume --journal bot --reason TEXT ends it',
    ]);
    expect(hintsWith('my bot/HALT', 'disk')).toEqual([gone, room]);
  });
});
