import { describe, expect, it } from 'vitest';
import { Engine } from '../../src/engine/engine.js';
import type { PlaceCommand } from '../../src/model/command.js';
import type { EngineEvent } from '../../src/model/event.js';
import type { Lots, Ticks } from '../../src/model/grid.js';
import type { FillView } from '../../src/strategy/context.js';
import { defineStrategy } from '../../src/strategy/definition.js';
import { bindStrategy } from '../../src/strategy/instance.js';
import { flat, holdPosition, orders, quote, type Want } from '../../src/strategy/want.js';
import { onlyPlace, trade, words } from '../support/desk.js';
import { BTC } from '../support/markets.js';

/** An engine whose strategy wants what the test says, and a gate that the test plays. */
function engineOf(options: { readonly onDoubt?: 'cancel' | 'hold' } = {}) {
  const wants: (Want | undefined)[] = [];
  const fills: FillView[] = [];
  const definition = defineStrategy({
    name: 'test',
    create: () => ({
      onTrade: () => wants.shift(),
      onFill: (fill) => {
        fills.push(fill);
        return undefined;
      },
    }),
  });
  const engine = new Engine({
    strategy: bindStrategy(definition),
    market: BTC,
    seed: '1',
    warmUp: false,
    ...options,
  });
  let time = 0;
  const permit = (permission: 'all' | 'reduce-only' | 'cancel-only', reason = ''): EngineEvent => ({
    kind: 'permit',
    time,
    permission,
    state: permission === 'all' ? 'SYNCED' : permission === 'reduce-only' ? 'SUSPECT' : 'HALTED',
    reason,
  });
  return {
    engine,
    fills,
    want: (want: Want | undefined) => {
      wants.push(want);
      return engine.trade(trade(++time, 60_000));
    },
    permit: (...says: Parameters<typeof permit>) => engine.handle(permit(...says)),
    accept: (intentId: number) =>
      engine.report({ kind: 'accepted', intentId, orderId: `o${intentId}`, time }),
    canceled: (intentId: number) =>
      engine.report({ kind: 'canceled', intentId, orderId: `o${intentId}`, reason: '', time }),
    mark: (at: number) => engine.handle({ kind: 'mark', time: at }),
    late: (side: 'buy' | 'sell', lots: number, intentId?: number) =>
      engine.report({
        kind: 'late-fill',
        intentId,
        time,
        fill: {
          id: `late${time}`,
          orderId: 'o',
          time,
          side,
          lots: lots as Lots,
          ticks: 600_000 as Ticks,
          liquidity: 'maker',
          fee: 0n,
        },
      }),
  };
}

const two = quote({ bid: { price: 59_990, quantity: '0.01' }, ask: { price: 60_010, quantity: '0.01' } });

function quoted(options: { readonly onDoubt?: 'cancel' | 'hold' } = {}) {
  const desk = engineOf(options);
  const [bid, ask] = desk.want(two).commands as [PlaceCommand, PlaceCommand];
  desk.accept(bid.intentId);
  return { ...desk, bid, ask };
}

describe('a pair in doubt', () => {
  it('takes its working quotes back, and one that is accepted meanwhile too', () => {
    const { bid, ask, permit, accept } = quoted();
    expect(words(permit('reduce-only').commands)).toEqual([`cancel ${bid.intentId}`]);
    expect(permit('reduce-only', 'another reason').commands).toEqual([]);
    expect(words(accept(ask.intentId).commands)).toEqual([`cancel ${ask.intentId}`]);
  });

  it('quotes again once everything is permitted, and asks the gate no more often than that', () => {
    const { engine, bid, ask, permit, accept, canceled, want, mark } = quoted();
    accept(ask.intentId);
    permit('reduce-only');
    engine.refused(onlyPlace(canceled(bid.intentId).commands));
    // The other order is gone, so both are asked for, and the gate says no to both.
    const both = canceled(ask.intentId).commands;
    expect(words(both)).toEqual(['buy 10 post-only @ 599900', 'sell 10 post-only @ 600100']);
    for (const order of both) engine.refused(order);
    for (let i = 0; i < 5; i++) expect(want(undefined).commands).toEqual([]);
    expect(mark(1_000_000).commands).toEqual([]);
    expect(words(permit('all').commands)).toEqual(words(both));
  });

  it('leaves quotes where they are when it is told to hold', () => {
    const { permit, want } = quoted({ onDoubt: 'hold' });
    expect(permit('reduce-only').commands).toEqual([]);
    expect(want(undefined).commands).toEqual([]);
  });

  it('leaves orders alone that no quote asked for', () => {
    const desk = engineOf();
    const bid = { side: 'buy', quantity: '0.01', price: '59990' } as const;
    const { intentId } = onlyPlace(desk.want(orders([bid])).commands);
    desk.accept(intentId);
    expect(desk.permit('reduce-only').commands).toEqual([]);
    expect(desk.permit('cancel-only').commands).toEqual([]);
  });

  it('asks again for what was refused when more is permitted than before, and not when less is', () => {
    const desk = engineOf();
    desk.permit('cancel-only');
    const order = onlyPlace(desk.want(holdPosition('0.005')).commands);
    desk.engine.refused(order);
    expect(desk.permit('cancel-only', 'still').commands).toEqual([]);
    const second = onlyPlace(desk.permit('reduce-only').commands);
    desk.engine.refused(second);
    expect(desk.permit('cancel-only').commands).toEqual([]);
    expect(words(desk.permit('all').commands)).toEqual(['buy 5 market']);
    expect(desk.engine.counts).toEqual({ derived: 3, sent: 1, refused: 2, superseded: 0, waiting: 0 });
  });
});

describe('what the gate refused until a time', () => {
  it('is asked again then, and not before', () => {
    const desk = engineOf();
    desk.engine.refused(onlyPlace(desk.want(holdPosition('0.005')).commands), 60_000);
    expect(desk.mark(59_999).commands).toEqual([]);
    const again = onlyPlace(desk.mark(60_000).commands);
    expect(words([again])).toEqual(['buy 5 market']);
    desk.engine.refused(again, 61_000);
    // Another want is another question, at once.
    expect(words(desk.want(holdPosition('0.006')).commands)).toEqual(['buy 6 market']);
  });

  it('is asked ever later when nobody can say until when', () => {
    const desk = engineOf();
    let order = onlyPlace(desk.want(holdPosition('0.005')).commands);
    let time = 1;
    for (const wait of [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]) {
      desk.engine.refused(order, time);
      expect(desk.mark(time + wait - 1).commands).toEqual([]);
      time += wait;
      order = onlyPlace(desk.mark(time).commands);
    }
  });

  it('is asked again at a trade as well as at a mark', () => {
    const desk = engineOf();
    desk.engine.refused(onlyPlace(desk.want(holdPosition('0.005')).commands), 5);
    expect(desk.want(undefined).commands).toEqual([]);
    desk.want(undefined);
    desk.want(undefined);
    expect(words(desk.want(undefined).commands)).toEqual(['buy 5 market']);
  });
});

describe('a late fill', () => {
  it('changes the position and is told to the strategy, with the intent if this session had it', () => {
    const desk = engineOf();
    desk.late('buy', 3, 7);
    desk.late('buy', 1);
    expect(desk.engine.position.lots).toBe(4);
    expect(desk.fills).toMatchObject([
      { intentId: 7, quantity: 0.003, position: 0.003 },
      { intentId: undefined, quantity: 0.001, position: 0.004 },
    ]);
  });

  it('touches no order, also when its intent has one that works: the order came twice', () => {
    const desk = engineOf();
    const bid = { side: 'buy', quantity: '0.01', price: '59990' } as const;
    const { intentId } = onlyPlace(desk.want(orders([bid])).commands);
    desk.accept(intentId);
    desk.late('buy', 10, intentId);
    expect(desk.engine.workingOrders).toMatchObject([{ intentId, leavesQuantity: 0.01, state: 'working' }]);
    expect(desk.engine.position.lots).toBe(10);
  });

  it('is made good: the want stands, and what is held is more than it asks for', () => {
    const desk = engineOf();
    const { intentId } = onlyPlace(desk.want(holdPosition('0.005')).commands);
    // Given up, and tried again after a second.
    desk.engine.report({ kind: 'rejected', intentId, reason: 'not placed', time: 1, reservedUntil: 600_000 });
    const second = onlyPlace(desk.mark(2_000).commands);
    desk.accept(second.intentId);
    desk.engine.report({
      kind: 'filled',
      intentId: second.intentId,
      time: 2_001,
      fill: {
        id: 'f',
        orderId: 'o',
        time: 2_001,
        side: 'buy',
        lots: 5 as Lots,
        ticks: 600_000 as Ticks,
        liquidity: 'taker',
        fee: 0n,
      },
    });
    expect(words(desk.late('buy', 5, intentId).commands)).toEqual(['sell 5 reduce-only market']);
  });

  it('lets what the gate refused be asked again: the position is another', () => {
    const desk = engineOf();
    desk.engine.refused(onlyPlace(desk.want(holdPosition('0.005')).commands));
    expect(desk.want(undefined).commands).toEqual([]);
    expect(words(desk.late('sell', 1).commands)).toEqual(['buy 1 reduce-only market']);
  });

  it('leaves nothing to close when flat is wanted and it closed the position itself', () => {
    const desk = engineOf();
    desk.want(flat());
    expect(words(desk.late('sell', 2).commands)).toEqual(['buy 2 reduce-only market']);
  });
});
