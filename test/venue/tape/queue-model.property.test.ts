import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Side } from '../../../src/model/side.js';
import { FILL_MODELS, type FillModel, QUEUE } from '../../../src/venue/tape/fill-model.js';
import { Desk, market } from './desk.js';
import { type ModelStep, naiveTape, perLot } from './naive.js';

// Prices are hundredths; the market's grid is tenths and its tick 0.5, so prints may lie off the tick and off the grid.
const TICK_CENTS = 50;
const MARKET = market('0.5');

const side = fc.constantFrom<Side>('buy', 'sell');

const printed = fc.record({
  kind: fc.constant('print' as const),
  pause: fc.constantFrom(0, 0, 0, 1, 2, 7),
  cents: fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: -4, max: 4 }).map((ticks) => 10_000 + ticks * TICK_CENTS) },
    { weight: 1, arbitrary: fc.integer({ min: -20, max: 20 }).map((steps) => 10_000 + steps * 10) },
    { weight: 1, arbitrary: fc.integer({ min: -200, max: 200 }).map((cents) => 10_000 + cents) },
  ),
  lots: fc.integer({ min: 1, max: 9 }),
  aggressor: side,
});

const ordered = fc.record({
  kind: fc.constantFrom('rest' as const, 'rest' as const, 'take' as const, 'kill' as const),
  pause: fc.constantFrom(0, 1, 3),
  owner: fc.constantFrom('us', 'us', 'them'),
  side,
  cents: fc.integer({ min: -4, max: 4 }).map((ticks) => 10_000 + ticks * TICK_CENTS),
  lots: fc.integer({ min: 1, max: 12 }),
  window: fc.integer({ min: 1, max: 12 }),
  restsAfter: fc.boolean(),
});

const canceled = fc.record({ kind: fc.constant('cancel' as const), pause: fc.constant(0), nth: fc.nat(30) });

const script = fc
  .record({
    warmUp: fc.constantFrom(0, 18, 21, 45),
    moves: fc.array(
      fc.oneof(
        { weight: 7, arbitrary: printed },
        { weight: 3, arbitrary: ordered },
        { weight: 1, arbitrary: canceled },
      ),
      { minLength: 10, maxLength: 120 },
    ),
  })
  .map(({ warmUp, moves }): ModelStep[] => {
    const steps: ModelStep[] = [];
    for (let run = 0; run < warmUp; run++) {
      steps.push({ kind: 'print', time: 1, cents: 9_950, lots: 1 + (run % 7), aggressor: 'sell' });
      steps.push({ kind: 'print', time: 1, cents: 10_050, lots: 1 + (run % 5), aggressor: 'buy' });
    }
    let time = 1;
    let orders = 0;
    let isAfterOrder = false;
    for (const move of moves) {
      // What came at a time meets prints with a later time only.
      time += move.kind === 'print' && isAfterOrder && move.pause === 0 ? 1 : move.pause;
      isAfterOrder = move.kind !== 'print';
      if (move.kind === 'print') {
        steps.push({ kind: 'print', time, cents: move.cents, lots: move.lots, aggressor: move.aggressor });
      } else if (move.kind === 'cancel') {
        const name = [...steps]
          .flatMap((step) => ('name' in step && step.kind !== 'cancel' ? [step.name] : []))
          .at(-1 - move.nth);
        if (name !== undefined) steps.push({ kind: 'cancel', time, name });
      } else {
        const restsAfter = move.kind === 'take' && move.restsAfter;
        steps.push({
          kind: move.kind,
          time,
          name: `${restsAfter ? 'G' : 'O'}${++orders}`,
          owner: move.owner,
          side: move.side,
          cents: move.cents,
          lots: move.lots,
          deadline: time + move.window,
          restsAfter,
        });
      }
    }
    return steps;
  });

function play(steps: readonly ModelStep[], slippageTicks: number, model: FillModel = QUEUE): Desk {
  const desk = new Desk({ market: MARKET, slippageTicks, model });
  for (const step of steps) {
    if (step.kind === 'print') {
      desk.print(step.time, step.cents / 100, step.lots, step.aggressor);
      continue;
    }
    desk.model.advance(step.time);
    if (step.kind === 'cancel') desk.cancel(step.name);
    else if (step.kind === 'rest')
      desk.rest(step.name, step.side, step.cents / 10, step.lots, step.time, step.owner);
    else {
      const more = { fillOrKill: step.kind === 'kill', owner: step.owner };
      desk.take(step.name, step.side, step.cents / 10, step.lots, step.time, step.deadline, more);
    }
  }
  return desk;
}

/** Steps of the grid are ten hundredths each. */
function inCents(log: readonly string[]): string[] {
  return perLot(log.map((line) => line.replace(/@(\d+)$/, (_, steps) => `@${Number(steps) * 10}`)));
}

describe('the fill models over random tapes and orders', () => {
  it.each(FILL_MODELS)('$name does what the naive re-implementation does, in the same order', (model) => {
    let executed = 0;
    const seen = new Set<string>();
    fc.assert(
      fc.property(script, fc.constantFrom(0, 0, 1, 3), (steps, slippageTicks) => {
        const expected = naiveTape(steps, TICK_CENTS, slippageTicks, model.name).filter(
          (line) => !line.endsWith('-rejected'),
        );
        expect(inCents(play(steps, slippageTicks, model).log)).toEqual(expected);
        executed += expected.length;
        for (const line of expected) seen.add(line.split(' ')[2] as string);
      }),
      { numRuns: 400 },
    );
    // The comparison means nothing if the scripts hardly trade.
    expect(executed).toBeGreaterThan(2_000);
    expect([...seen].sort()).toEqual(['maker', 'over', 'self-trade', 'taker']);
  });

  it('never fills more of a print than was printed, and no order more than it asked for', () => {
    fc.assert(
      fc.property(script, (steps) => {
        const desk = play(steps, 0);
        const filled = new Map<string, number>();
        const atTime = new Map<string, number>();
        for (const line of desk.log) {
          const match = /^(\d+) (\w+) (maker|taker) (\d+)@/.exec(line);
          if (match === null) continue;
          const [, time, name, , lots] = match as unknown as [string, string, string, string, string];
          filled.set(name, (filled.get(name) ?? 0) + Number(lots));
          const order = steps.find((step) => 'name' in step && step.name === name && step.kind !== 'cancel');
          // A fill-or-kill order executes at one print what it was promised by the ones before, too.
          if (order?.kind !== 'kill') atTime.set(time, (atTime.get(time) ?? 0) + Number(lots));
        }
        for (const step of steps) {
          if ('name' in step && step.kind !== 'cancel')
            expect(filled.get(step.name) ?? 0).toBeLessThanOrEqual(step.lots);
        }
        for (const [time, lots] of atTime) {
          const printed = steps.filter((step) => step.kind === 'print' && step.time === Number(time));
          expect(lots).toBeLessThanOrEqual(
            printed.reduce((sum, step) => sum + (step.kind === 'print' ? step.lots : 0), 0),
          );
        }
      }),
      { numRuns: 300 },
    );
  });
});
