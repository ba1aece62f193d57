/**
 * Shows journal records and their stories as plain lines. Quantities are in lots and prices in ticks, as in the
 * journal.
 */
import type { Fill } from '../../model/fill.js';
import { gridOfDecimals, textOf } from '../../model/grid.js';
import type { JournalRecord } from '../../model/journal-record.js';
import type { OrderTerms } from '../../model/order.js';
import type { JournalEntry } from '../../storage/journal/journal-reader.js';
import type { IntentStanding, IntentStory } from '../../storage/journal/journal-story.js';
import { momentText } from './moment.js';
import { printable } from './printable.js';
import { triggerText } from './trigger-text.js';

/**
 * A line like `#17  2024-08-08T23:54:16.322Z  prep        …`. Control characters in it are replaced, because a venue or
 * a person may have written some.
 */
export function entryText({ sequence, record }: JournalEntry): string {
  const time = timeOf(record);
  const moment = time === undefined ? ''.padEnd(24) : momentText(time);
  return printable(
    `#${String(sequence).padEnd(7)} ${moment}  ${record.kind.padEnd(10)}  ${recordText(record)}`,
  );
}

export function storyText({ intent, pair, terms, standing, orders, entries }: IntentStory): string {
  const what = terms === undefined ? 'no record of its terms' : termsText(terms);
  const filled = orders.map(({ orderId, as, filledLots, end }) => {
    const of = terms === undefined ? '' : ` of ${terms.lots}`;
    return `  order ${orderId} (${as}): ${filledLots}${of} lots filled, ${end ?? 'no end known'}`;
  });
  return [
    printable(`${intent}  ${pair ?? ''}: ${what}`),
    ...entries.map((entry) => `  ${entryText(entry)}`),
    `stands: ${STANDINGS[standing]}`,
    ...filled.map(printable),
  ].join('\n');
}

/** The state of an intent, in words. */
export function standingText(standing: IntentStanding): string {
  return STANDINGS[standing];
}

const STANDINGS: Readonly<Record<IntentStanding, string>> = {
  'refused-locally': 'refused by us, it never left',
  prepared: 'written down, and nothing about its answer: in doubt from the next start on',
  'not-sent': 'it never left',
  refused: 'refused by the venue',
  'in-doubt': 'in doubt: it may be at the venue',
  live: 'at the venue',
  filled: 'filled',
  canceled: 'canceled',
  'not-placed': 'not placed, by evidence; watched in case it shows up late',
  late: 'given up as not placed, and it showed up all the same',
  disputed: 'disputed: the evidence contradicts itself, a person has to look',
};

function recordText(record: JournalRecord): string {
  switch (record.kind) {
    case 'start': {
      const hashes = Object.entries(record.hashes).map(([name, hash]) => `${name} ${hash.slice(0, 12)}`);
      return `session ${record.session} begins, version ${record.engine}; ${hashes.join(', ')}`;
    }
    case 'grid': {
      const { pair, price, quantity } = record;
      return `${pair} is counted in ticks of ${step(price)} and lots of ${step(quantity)} from here on`;
    }
    case 'prep': {
      const tag = record.tag === undefined ? 'no tag' : `tag ${record.tag}`;
      return `${record.intent} about to be sent: ${record.pair} ${termsText(record.terms)}; position ${record.position}, ${tag}, body ${record.bodySha256.slice(0, 12)}`;
    }
    case 'out':
      return record.outcome === 'accepted'
        ? `${record.intent} accepted: order ${record.orderId}`
        : `${record.intent} ${record.outcome}: ${record.reason}`;
    case 'adopt':
      return `${record.intent} has order ${record.orderId} (${record.as}): ${record.evidence}`;
    case 'verdict':
      return `${record.intent} judged ${record.verdict}: ${record.evidence}`;
    case 'end':
      return `${record.intent} order ${record.orderId} ${record.status}, ${record.filled} lots filled`;
    case 'fill': {
      const { orderId } = record.fill;
      // For a foreign fill, the venue may not state the order.
      const of = [orderId === '' ? [] : [`order ${orderId}`], record.intent ?? 'no order of ours'].flat();
      return `${record.pair} ${fillText(record.fill)} of ${of.join(', ')}${record.liquidation ? ', LIQUIDATION' : ''}`;
    }
    case 'cancel':
      return `${record.intent} cancel of order ${record.orderId}: ${record.why}`;
    case 'checkpoint':
      return `${record.pair} counts from position ${record.position}, by ${record.by}: ${record.reason}`;
    case 'cut':
      return `${record.pair} agrees with the venue: position ${record.position}, ${fillsTo(record.time)}`;
    case 'state':
      return `${record.pair} is ${record.state}: ${record.reason}`;
    case 'halt':
      return `level ${record.level}, by ${record.by}: ${record.reason}`;
    case 'resume':
      return `by ${record.by}: ${record.reason}`;
    case 'baseline':
      return `losses of ${record.day} count from ${record.equity}`;
    case 'refusal':
      return `${record.intent ?? record.pair} refused by ${record.rule}: asked ${record.asked}, bound ${record.bound}; ${record.reason}`;
    case 'note':
      return record.text;
  }
}

function termsText({
  side,
  type,
  ticks,
  lots,
  timeInForce,
  postOnly,
  reduceOnly,
  trigger,
}: OrderTerms): string {
  const price = ticks === undefined ? '' : ` at ${ticks} ticks`;
  const flags = [postOnly ? ', post-only' : '', reduceOnly ? ', reduce-only' : ''].join('');
  const when = triggerText(trigger, (at) => `${at} ticks`);
  return `${side} ${lots} lots${price}, ${type} ${timeInForce}${flags}${when}`;
}

function fillText({ id, side, lots, ticks, liquidity }: Fill): string {
  return `${side} ${lots} lots at ${ticks} ticks (${liquidity}, fill ${id})`;
}

function step(digits: number): string {
  return textOf(gridOfDecimals(digits), 1);
}

/** The fills that a cut includes. `time`: that of the newest one, venue ms; 0 before any fill. */
function fillsTo(time: number): string {
  return time === 0 ? 'no fill yet' : `every fill to ${momentText(time)}`;
}

function timeOf(record: JournalRecord): number | undefined {
  if (record.kind === 'prep') return record.sentAt;
  if (record.kind === 'fill') return record.fill.time;
  // The time of a cut or a checkpoint is 0 before any fill.
  if ('time' in record) return record.time === 0 ? undefined : record.time;
  return 'wall' in record ? record.wall : undefined;
}
