import type { Command, Refusal, Supersession } from '../../model/command.js';
import { encodeNumber, type JsonObject } from '../json-fields.js';

/** The result of one input. */
export interface CapturedDecision {
  readonly commands: readonly Command[];
  readonly refusals: readonly Refusal[];
  readonly superseded: readonly Supersession[];
}

/**
 * A decision as one line of JSON with its fields in a fixed order, so that two decisions are equal exactly if their
 * texts are. This lets `parity` name the first event that was decided differently, and show the difference.
 */
export function decisionText({ commands, refusals, superseded }: CapturedDecision): string {
  return JSON.stringify({
    commands: commands.map(commandFacts),
    refusals: refusals.map(({ intentId, pair, rule, asked, bound, reason, want }) => ({
      intentId,
      pair,
      rule,
      asked,
      bound,
      reason,
      want,
    })),
    superseded: superseded.map(({ intentId, want, by }) => ({ intentId, want, by })),
  });
}

function commandFacts(command: Command): JsonObject {
  const { kind, intentId, pair, want } = command;
  switch (kind) {
    case 'place': {
      const { side, type, ticks, lots, timeInForce, postOnly, reduceOnly, trigger } = command.terms;
      const price = ticks === undefined ? {} : { ticks: encodeNumber(ticks) };
      const plain = { side, type, ...price, lots: encodeNumber(lots), timeInForce, postOnly, reduceOnly };
      const terms =
        trigger === undefined
          ? plain
          : { ...plain, trigger: { ticks: encodeNumber(trigger.ticks), event: trigger.event } };
      return { kind, intentId, pair, terms, want };
    }
    case 'cancel':
      return { kind, intentId, pair, orderId: command.orderId, want };
  }
}
