import { Engine } from '../../src/engine/engine.js';
import type { Command, PlaceCommand } from '../../src/model/command.js';
import type { EngineEvent } from '../../src/model/event.js';
import type { Lots, Ticks } from '../../src/model/grid.js';
import type { ExecutionReport } from '../../src/model/report.js';
import type { Trade } from '../../src/model/trade.js';
import type { StrategyContext } from '../../src/strategy/context.js';
import { defineStrategy, type Handlers } from '../../src/strategy/definition.js';
import { bindStrategy } from '../../src/strategy/instance.js';
import { barInterval } from '../../src/strategy/params.js';
import { BTC } from './markets.js';

export function trade(time: number, price: number, quantity = 0.01, isBuyerMaker = false): Trade {
  return { id: String(time), time, price, quantity, isBuyerMaker };
}

/** An engine with a strategy of handlers, and short words for what a venue would report. */
export function deskOf(
  create: (context: StrategyContext) => Handlers,
  { warmUp = false, bars = '1s' }: { warmUp?: boolean; bars?: string } = {},
) {
  const definition = defineStrategy({
    name: 'test',
    params: { bars: barInterval({ default: bars }) },
    create: (_, context) => create(context),
  });
  const engine = new Engine({ strategy: bindStrategy(definition), market: BTC, seed: '1', warmUp });
  let fills = 0;
  const send = (event: EngineEvent) => engine.handle(event);
  const report = (news: ExecutionReport) => send({ kind: 'report', report: news });
  return {
    engine,
    send,
    trade: (time: number, price: number, quantity?: number) =>
      send({ kind: 'trade', trade: trade(time, price, quantity), receivedAt: time }),
    mark: (time: number) => send({ kind: 'mark', time }),
    accept: (intentId: number, time = 0) =>
      report({ kind: 'accepted', intentId, orderId: `o${intentId}`, time }),
    reject: (intentId: number, time = 0) => report({ kind: 'rejected', intentId, reason: 'no', time }),
    doubt: (intentId: number, time = 0) => report({ kind: 'in-doubt', intentId, reason: 'timeout', time }),
    cancelRejected: (intentId: number, time = 0) =>
      report({ kind: 'cancel-rejected', intentId, reason: 'busy', time }),
    canceled: (intentId: number, time = 0) =>
      report({ kind: 'canceled', intentId, orderId: `o${intentId}`, reason: 'canceled', time }),
    fill: (command: PlaceCommand, lots = command.terms.lots as number, time = 0) =>
      report({
        kind: 'filled',
        intentId: command.intentId,
        time,
        fill: {
          id: `f${++fills}`,
          orderId: `o${command.intentId}`,
          time,
          side: command.terms.side,
          lots: lots as Lots,
          ticks: (command.terms.ticks ?? 600_000) as Ticks,
          liquidity: 'taker',
          fee: 0n,
        },
      }),
  };
}

/**
 * Commands in few words: `buy 5 market`, `sell 2 reduce-only market`, `buy 3 @ 600000 post-only`,
 * `sell 5 reduce-only stop 590000`, `cancel 7`.
 */
export function words(commands: readonly Command[]): string[] {
  return commands.map((command) => {
    if (command.kind === 'cancel') return `cancel ${command.intentId}`;
    const { side, lots, ticks, postOnly, reduceOnly, trigger } = command.terms;
    const flags = `${reduceOnly ? ' reduce-only' : ''}${postOnly ? ' post-only' : ''}`;
    return `${side} ${lots}${flags} ${trigger !== undefined ? `stop ${trigger.ticks}` : ticks === undefined ? 'market' : `@ ${ticks}`}`;
  });
}

export function onlyPlace(commands: readonly Command[]): PlaceCommand {
  const [command] = commands;
  if (commands.length !== 1 || command?.kind !== 'place')
    throw new Error(`expected one order, received ${words(commands).join('; ')}`);
  return command;
}
