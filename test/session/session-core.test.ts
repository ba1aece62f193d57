import { describe, expect, it } from 'vitest';
import { Engine } from '../../src/engine/engine.js';
import type { Limits } from '../../src/gate/limits.js';
import { NO_LIMITS } from '../../src/gate/limits.js';
import type { Approved, Refusal } from '../../src/model/command.js';
import type { Lots } from '../../src/model/grid.js';
import { SessionCore } from '../../src/session/session-core.js';
import { defineStrategy } from '../../src/strategy/definition.js';
import { bindStrategy } from '../../src/strategy/instance.js';
import { holdPosition, orders, type Want } from '../../src/strategy/want.js';
import { trade, words } from '../support/desk.js';
import { BTC } from '../support/markets.js';
import { NO_PRICES } from '../support/no-prices.js';

function sessionOf(wants: readonly (Want | undefined)[], limits: Partial<Limits> = {}, answerAtOnce = false) {
  const rest = [...wants];
  const log: string[] = [];
  const sent: Approved[] = [];
  const refusals: Refusal[] = [];
  const definition = defineStrategy({
    name: 'scripted',
    create: () => ({
      onTrade: () => rest.shift(),
      onFill: ({ quantity }) => {
        log.push(`filled ${quantity}`);
        return undefined;
      },
    }),
  });
  const core: SessionCore = new SessionCore({
    engine: new Engine({ strategy: bindStrategy(definition), market: BTC, seed: '1', warmUp: false }),
    limits: { ...NO_LIMITS, ...limits },
    warmUp: false,
    funds: 1_000,
    observer: {
      decision: (_, commands, refused) => {
        refusals.push(...refused);
        if (commands.length > 0) log.push(`decided ${words(commands).join()}`);
      },
    },
    sink: {
      send: (command) => {
        log.push(`send ${words([command]).join()}`);
        sent.push(command);
        if (answerAtOnce && command.kind === 'place') {
          const { intentId, terms } = command;
          core.input({ kind: 'report', report: { kind: 'accepted', intentId, orderId: 'o', time: 1 } });
          core.input({
            kind: 'report',
            report: {
              kind: 'filled',
              intentId,
              time: 1,
              fill: {
                id: `f${intentId}`,
                orderId: 'o',
                time: 1,
                side: terms.side,
                lots: terms.lots,
                ticks: 600_000 as never,
                liquidity: 'taker',
                fee: 0n,
              },
            },
          });
          log.push('sink done');
        }
      },
    },
  });
  const feed = (time: number, price = 60_000) =>
    core.input({ kind: 'trade', trade: trade(time, price), receivedAt: time });
  return { core, feed, log, sent, refusals };
}

describe('a session', () => {
  it('tells of a decision before anything of it is sent, and handles an event to its end before the next', () => {
    const { feed, log, core } = sessionOf([holdPosition('0.005')], {}, true);
    feed(1);
    expect(log).toEqual(['decided buy 5 market', 'send buy 5 market', 'sink done', 'filled 0.005']);
    expect(core.engine.position.lots).toBe(5);
  });

  it('refuses what is beyond a limit, with the rule and both numbers, and sends nothing of it', () => {
    const { feed, sent, refusals, core } = sessionOf([holdPosition('0.005')], { maxPosition: 4 as Lots });
    feed(1);
    feed(2);
    expect(sent).toEqual([]);
    expect(refusals.map(({ reason }) => reason)).toEqual([
      'max-position: resulting position must be at most 0.004, received 0.005',
    ]);
    expect(core.counts).toMatchObject({ orders: 0, refusals: 1 });
    expect(core.engine.counts).toEqual({ derived: 1, sent: 0, refused: 1, superseded: 0, waiting: 0 });
  });

  it('refuses an order that the funds do not carry, naming both amounts', () => {
    // 1 % margin and 0.06 % fee of 2 × 60 000.
    const { feed, refusals } = sessionOf([undefined, holdPosition('2')]);
    feed(1);
    feed(2);
    expect(refusals).toMatchObject([{ rule: 'balance', asked: '1272.00', bound: '1000.00' }]);
  });

  it('gives another decision hash for another input number, command or refusal, and the same for the same', () => {
    const hashOf = (wants: readonly (Want | undefined)[], limits?: Partial<Limits>) => {
      const { core, feed } = sessionOf(wants, limits);
      for (let i = 1; i <= 3; i++) feed(i);
      return core.decisionHash();
    };
    const hashes = [
      hashOf([holdPosition('0.005')]),
      hashOf([undefined, holdPosition('0.005')]),
      hashOf([holdPosition('0.006')]),
      hashOf([holdPosition('0.005')], { maxOrderQuantity: 4 as Lots }),
      hashOf([]),
    ];
    expect(new Set(hashes).size).toBe(hashes.length);
    expect(hashOf([holdPosition('0.005')])).toBe(hashes[0]);
  });
});

describe('a position that was held before the first trade', () => {
  it('does not keep an order from leaving: without a price it has no loss yet', () => {
    const sent: Approved[] = [];
    const bid = { side: 'buy', quantity: '0.001', price: 60_000 } as const;
    const definition = defineStrategy({ name: 'eager', create: () => ({ onTicker: () => orders([bid]) }) });
    const core = new SessionCore({
      engine: new Engine({ strategy: bindStrategy(definition), market: BTC, seed: '1', warmUp: true }),
      limits: NO_LIMITS,
      warmUp: true,
      funds: 1_000,
      sink: { send: (command) => sent.push(command) },
    });
    const held = { time: 1, lots: 2 as Lots, averageEntry: 60_000, liquidationPrice: undefined };
    core.input({ kind: 'position', position: held });
    core.input({ kind: 'live', time: 1 });
    core.input({ kind: 'ticker', ticker: { time: 2, ...NO_PRICES } });
    expect(words(sent)).toEqual(['buy 1 @ 600000']);
  });
});

describe('an order that the gate refused', () => {
  it('is asked again when the want, the position or a working order changed, and not before', () => {
    const bids = (price: number) =>
      orders([
        { side: 'buy', quantity: '0.003', price },
        { side: 'buy', quantity: '0.009', price },
      ]);
    const { core, feed, refusals, sent } = sessionOf([bids(59_000)], { maxPosition: 10 as Lots });
    feed(1);
    expect(words(sent)).toEqual(['buy 3 @ 590000']);
    expect(refusals).toHaveLength(1);
    const { intentId } = sent[0] as Approved;
    const at = { intentId, time: 2 };
    core.input({ kind: 'report', report: { kind: 'accepted', orderId: 'o', ...at } });
    core.input({ kind: 'report', report: { kind: 'in-doubt', reason: 'lost', ...at } });
    core.input({ kind: 'report', report: { kind: 'accepted', orderId: 'o', ...at } });
    feed(3);
    expect(refusals).toHaveLength(1);
    core.input({
      kind: 'report',
      report: { kind: 'canceled', orderId: 'o', reason: 'gone', intentId, time: 4 },
    });
    feed(300);
    expect(words(sent.slice(1))).toEqual(['buy 3 @ 590000']);
    expect(refusals).toHaveLength(2);
  });
});

describe('an order that the gate refused because of another', () => {
  it('is asked again when the venue has rejected the other', () => {
    const sent: Approved[] = [];
    const definition = defineStrategy({
      name: 'in-its-own-way',
      create: (_, context) => {
        let started = false;
        return {
          onTrade: () => {
            if (started) return undefined;
            started = true;
            context.submit({ side: 'buy', quantity: '0.001', price: 59_000 });
            return holdPosition('0.005');
          },
        };
      },
    });
    const core = new SessionCore({
      engine: new Engine({ strategy: bindStrategy(definition), market: BTC, seed: '1', warmUp: false }),
      limits: { ...NO_LIMITS, maxOpenOrders: 1 },
      warmUp: false,
      funds: 1_000,
      sink: { send: (command) => sent.push(command) },
    });
    core.input({ kind: 'trade', trade: trade(1, 60_000), receivedAt: 1 });
    expect(words(sent)).toEqual(['buy 1 @ 590000']);
    const { intentId } = sent[0] as Approved;
    core.input({ kind: 'report', report: { kind: 'rejected', intentId, reason: 'no', time: 2 } });
    core.input({ kind: 'mark', time: 60_000 });
    expect(words(sent.slice(1))).toEqual(['buy 5 market']);
  });
});

describe('reasons', () => {
  it('say how often each rule said no, with its first case word for word', () => {
    const wants = [
      holdPosition('0.005'),
      holdPosition('0.006'),
      holdPosition('0.0001'),
      holdPosition('0.007'),
    ];
    const { core, feed } = sessionOf(wants, { maxPosition: 4 as Lots });
    for (let i = 1; i <= 4; i++) feed(i);
    expect(core.reasons).toEqual({
      refused: [
        {
          reason: 'max-position',
          count: 3,
          first: 'max-position: resulting position must be at most 0.004, received 0.005',
        },
        {
          reason: 'target-below-lot',
          count: 1,
          first: 'target-below-lot: target position must be at least 0.001, received 0.0001',
        },
      ],
      rejected: [],
      canceled: [],
    });
    expect(core.counts.refusals).toBe(4);
  });

  it('say what the venue cancelled by itself, and nothing of what was asked for', () => {
    const { core, sent, feed } = sessionOf([holdPosition('0.005')], {});
    feed(1);
    const { intentId } = sent[0] as Approved;
    const canceled = { kind: 'canceled', orderId: 'o', intentId } as const;
    core.input({ kind: 'report', report: { ...canceled, reason: 'requested', time: 2 } });
    core.input({ kind: 'report', report: { ...canceled, reason: 'self-trade', time: 3 } });
    core.input({ kind: 'report', report: { ...canceled, reason: 'self-trade', time: 4 } });
    expect(core.reasons.canceled).toEqual([{ reason: 'self-trade', count: 2, first: 'self-trade' }]);
  });
});
