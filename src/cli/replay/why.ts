/** The story of one order from the input that caused it to its end, from recording and journal. */
import { join } from 'node:path';
import { type Grid, gridOfDecimals, textOf } from '../../model/grid.js';
import type { IntentKey, JournalRecord } from '../../model/journal-record.js';
import type { EngineEvent } from '../../model/event.js';
import type { Market } from '../../model/market.js';
import type { TracedOrder } from '../../session/session-trace.js';
import { wantText } from '../../session/want-text.js';
import type { JournalEntry } from '../../storage/journal/journal-reader.js';
import type { IntentStory } from '../../storage/journal/journal-story.js';
import type { Machine } from '../machine.js';
import { clockText } from '../view/moment.js';
import { type BotFolder, intentOfSession } from '../journal/bot-folders.js';
import { traceSession } from './traced-session.js';
import { termsText, workingText } from './why-not.js';
import { triggerText } from '../view/trigger-text.js';

/** One step of the story. */
export interface Step {
  readonly step:
    | 'input'
    | 'want'
    | 'gate'
    | 'journal'
    | 'request'
    | 'response'
    | 'proof'
    | 'cancel'
    | 'fill'
    | 'end'
    | 'missing';
  /** Ms since the epoch, by the clock of the record. */
  readonly time?: number | undefined;
  /** Number of its journal record. */
  readonly sequence?: number | undefined;
  readonly text: string;
}

/** The steps: what the session saw and decided, if that was recorded, and the records of the journal. */
export async function storySteps(
  machine: Machine,
  folder: BotFolder,
  story: IntentStory,
): Promise<{ readonly steps: readonly Step[]; readonly market: Market | undefined }> {
  const decided = await decision(machine, folder, story.intent);
  const { market } = decided;
  const grids =
    story.grid === undefined
      ? market && { price: market.priceGrid, quantity: market.quantityGrid }
      : { price: gridOfDecimals(story.grid.price), quantity: gridOfDecimals(story.grid.quantity) };
  return {
    market,
    steps: [...decided.steps, ...story.entries.flatMap((entry) => recordSteps(entry, grids))],
  };
}

async function decision(
  machine: Machine,
  { capture }: BotFolder,
  intent: IntentKey,
): Promise<{ readonly steps: readonly Step[]; readonly market: Market | undefined }> {
  const named = intentOfSession(intent);
  const directory = named && join(capture, named.session);
  if (named === undefined || directory === undefined || (await machine.files.stat(directory)) === undefined) {
    return missing(`what its session saw was not recorded, or is gone (${capture})`);
  }
  try {
    const { trace, market, problem } = await traceSession(machine, directory, { intentId: named.intentId });
    const order = trace.kept(named.intentId);
    if (order === undefined) {
      return { ...missing(problem ?? 'the recording of its session does not reach to it'), market };
    }
    return { steps: decisionSteps(order, market), market };
  } catch (error) {
    return missing(
      `what its session saw cannot be computed again: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

function missing(text: string): { readonly steps: readonly Step[]; readonly market: undefined } {
  return { steps: [{ step: 'missing', text }], market: undefined };
}

function decisionSteps(order: TracedOrder, market: Market): readonly Step[] {
  const { command, cause, input, time, want, wantSince, position, working, limits } = order;
  const held = `it held ${position} ${market.base}, ${workingText(working)}`;
  const wanted =
    command.want === undefined
      ? `the strategy asked for just this order: ${termsText(market, command.terms)}; ${held}`
      : `the strategy wanted ${wantText(market, want)} since ${clockText(wantSince)}; ${held} → ${termsText(market, command.terms)}`;
  const uses = limits.map(({ rule, used, bound }) => `${rule} ${used} of ${bound}`);
  const gate =
    uses.length === 0 ? 'the filters of the market and no limits, since none is set' : uses.join(', ');
  return [
    { step: 'input', time, text: `input ${input}: ${eventText(cause)}` },
    { step: 'want', time: wantSince, text: wanted },
    { step: 'gate', time, text: `passed: ${gate}` },
  ];
}

/** An event in words. */
function eventText(event: EngineEvent): string {
  switch (event.kind) {
    case 'trade': {
      const { price, quantity, isBuyerMaker, time } = event.trade;
      return `a trade of ${quantity} at ${price} (${isBuyerMaker ? 'sold' : 'bought'} at ${clockText(time)})`;
    }
    case 'mark':
      return 'the feed had covered everything till then (bars close, timers fire)';
    case 'gap':
      return `trades were missing from ${clockText(event.gap.from)} to ${clockText(event.gap.to)}`;
    case 'report':
      return `news of order ${event.report.intentId ?? 'of another session'}: ${event.report.kind}`;
    case 'position':
      return 'the venue said what is held';
    case 'ticker':
      return 'a ticker';
    case 'permit':
      return `${event.state}: ${event.reason}`;
    case 'live':
      return 'the warm-up was over';
    default:
      return event.kind;
  }
}

/** The steps of a record. `grids`: `undefined` if it is not known in what its numbers are counted. */
function recordSteps(
  { sequence, record }: JournalEntry,
  grids: { readonly price: Grid; readonly quantity: Grid } | undefined,
): readonly Step[] {
  const at = timeOf(record);
  const step = (name: Step['step'], text: string): Step => ({
    step: name,
    ...(at === undefined ? {} : { time: at }),
    sequence,
    text,
  });
  const lots = (value: number) => (grids === undefined ? `${value} lots` : textOf(grids.quantity, value));
  const price = (ticks: number) => (grids === undefined ? `${ticks} ticks` : textOf(grids.price, ticks));
  switch (record.kind) {
    case 'prep': {
      const { terms, position, tag, bodySha256 } = record;
      const { side, ticks, timeInForce, postOnly, reduceOnly, trigger } = terms;
      const flags = `${timeInForce}${postOnly ? ', post-only' : ''}${reduceOnly ? ', reduce-only' : ''}`;
      const what = `${side} ${lots(terms.lots)} ${ticks === undefined ? 'at market' : `@ ${price(ticks)}`}, ${flags}${triggerText(trigger, price)}`;
      return [
        step(
          'journal',
          `written down, before the first byte left: ${record.pair} ${what}; position ${lots(position)}`,
        ),
        step(
          'request',
          `sent once${tag === undefined ? '' : `, tagged ${tag}`}, body ${bodySha256.slice(0, 12)}`,
        ),
      ];
    }
    case 'out':
      return [
        step(
          'response',
          record.outcome === 'accepted'
            ? `the venue accepted it as order ${record.orderId}`
            : `${OUTCOMES[record.outcome]}: ${record.reason}`,
        ),
      ];
    case 'adopt':
      return [step('proof', `order ${record.orderId} at the venue is it (${record.as}): ${record.evidence}`)];
    case 'verdict':
      return [step('proof', `judged ${record.verdict}: ${record.evidence}`)];
    case 'cancel':
      return [step('cancel', `a cancel of order ${record.orderId} was sent: ${record.why}`)];
    case 'fill': {
      const { fill, liquidation } = record;
      const words = `${fill.side} ${lots(fill.lots)} @ ${price(fill.ticks)} as ${fill.liquidity}, fill ${fill.id}`;
      return [step('fill', `${words}${liquidation ? ', by LIQUIDATION' : ''}`)];
    }
    case 'end':
      return [
        step('end', `order ${record.orderId} is ${record.status}, ${lots(record.filled)} of it filled`),
      ];
    default:
      return [];
  }
}

const OUTCOMES = {
  refused: 'the venue refused it',
  'not-sent': 'it never left',
  'in-doubt': 'nobody knows whether the venue has it',
} as const;

function timeOf(record: JournalRecord): number | undefined {
  if (record.kind === 'prep') return record.sentAt;
  if (record.kind === 'fill') return record.fill.time;
  return 'time' in record ? record.time : undefined;
}
