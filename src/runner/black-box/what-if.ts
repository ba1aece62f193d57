/** What a recorded session would have ordered with other settings, as far as that can be known (`product.md` C17). */
import { Engine } from '../../engine/engine.js';
import type { Approved, Command, PlaceCommand, Refusal } from '../../model/command.js';
import type { EngineEvent } from '../../model/event.js';
import type { Fill } from '../../model/fill.js';
import type { Lots } from '../../model/grid.js';
import type { IntentId, OrderTerms } from '../../model/order.js';
import type { ExecutionReport } from '../../model/report.js';
import { replayCore } from '../../session/replay.js';
import type { SessionCore } from '../../session/session-core.js';
import type { BoundStrategy } from '../../strategy/instance.js';
import { positionSource } from '../bot.js';
import type { LiveBeginning } from '../live-session.js';
import type { BoxedPlan } from './session-in-box.js';

/** The decisions on one input. */
export interface Decided {
  readonly places: readonly OrderTerms[];
  /** Terms of the orders that were to be canceled. */
  readonly cancels: readonly OrderTerms[];
  readonly refusals: readonly Pick<Refusal, 'rule' | 'asked' | 'bound'>[];
}

const NOTHING_DECIDED: Decided = { places: [], cancels: [], refusals: [] };

interface Open {
  readonly intentId: IntentId;
  readonly terms: OrderTerms;
  leaves: number;
}

/**
 * A session with other settings on the inputs of a recorded one. Its orders rest from the moment they are sent until they
 * are canceled. Only the recorded fills happen: each goes to an open order of its side, if there is one, of the same
 * price first, and changes the position in any case. So the position is always the recorded one, and an order that only
 * this session places is never filled.
 */
export class WhatIf {
  readonly #core: SessionCore;
  #open: readonly Open[] = [];
  #decided: Decided = NOTHING_DECIDED;

  constructor(plan: BoxedPlan, strategy: BoundStrategy, { cash, baseline, reserves, sent }: LiveBeginning) {
    const { market, seed, onDoubt, limits, every } = plan;
    const positions = positionSource(every);
    const engine = new Engine({ strategy, market, seed, warmUp: true, onDoubt, positions });
    const options = { engine, limits, warmUp: true, funds: undefined, ...cash, baseline, reserves, sent };
    this.#core = replayCore(
      options,
      { decision: (_, commands, refusals) => this.#take(commands, refusals) },
      { send: (command) => this.#answer(command) },
    );
  }

  /** Handles the next input of the recorded session and returns the decisions on it. */
  input(event: EngineEvent): Decided {
    this.#decided = NOTHING_DECIDED;
    if (event.kind !== 'report') this.#core.input(event);
    else for (const report of this.#reportsOf(event.report)) this.#core.input({ kind: 'report', report });
    return this.#decided;
  }

  #take(commands: readonly Command[], refusals: readonly Refusal[]): void {
    const before = this.#decided;
    const places = commands.filter((command) => command.kind === 'place').map(({ terms }) => terms);
    const cancels = commands
      .filter((command) => command.kind === 'cancel')
      .flatMap(({ intentId }) => {
        const order = this.#open.find((open) => open.intentId === intentId);
        return order === undefined ? [] : [order.terms];
      });
    this.#decided = {
      places: [...before.places, ...places],
      cancels: [...before.cancels, ...cancels],
      refusals: [...before.refusals, ...refusals.map(({ rule, asked, bound }) => ({ rule, asked, bound }))],
    };
  }

  #answer(command: Approved): void {
    const time = this.#core.engine.now;
    const { intentId } = command;
    const orderId = `what-if-${intentId}`;
    if (command.kind === 'cancel') this.#forget(intentId);
    else this.#rest(command);
    const report: ExecutionReport =
      command.kind === 'cancel'
        ? { kind: 'canceled', intentId, orderId, reason: 'asked for', time }
        : { kind: 'accepted', intentId, orderId, time };
    this.#core.input({ kind: 'report', report });
  }

  #rest({ intentId, terms }: PlaceCommand): void {
    this.#open = [...this.#open, { intentId, terms, leaves: terms.lots }];
  }

  #forget(intentId: IntentId): void {
    this.#open = this.#open.filter((open) => open.intentId !== intentId);
  }

  /** Of the recorded reports only the fills matter: the others are about orders that this session does not have. */
  #reportsOf(report: ExecutionReport): readonly ExecutionReport[] {
    if (report.kind !== 'filled' && report.kind !== 'late-fill') return [];
    const { fill } = report;
    const { side, ticks } = fill;
    const ofSide = this.#open.filter((open) => open.terms.side === side);
    const order = ofSide.find((open) => open.terms.ticks === ticks) ?? ofSide[0];
    if (order === undefined) return [lateFill(fill)];
    const lots = Math.min(fill.lots, order.leaves);
    order.leaves -= lots;
    if (order.leaves === 0) this.#forget(order.intentId);
    const { intentId } = order;
    const part: Fill = { ...fill, lots: lots as Lots };
    const reports: ExecutionReport[] = [{ kind: 'filled', intentId, fill: part, time: fill.time }];
    const rest = fill.lots - lots;
    // The first part carries the whole fee.
    if (rest > 0) reports.push(lateFill({ ...fill, id: `${fill.id}+`, lots: rest as Lots, fee: 0n }));
    return reports;
  }
}

function lateFill(fill: Fill): ExecutionReport {
  return { kind: 'late-fill', intentId: undefined, fill, time: fill.time };
}
