/** Shows the result of `replay --set … --diff`, and the comparison before `set` and `swap`. */
import { textOf } from '../../model/grid.js';
import type { Market } from '../../model/market.js';
import type { OrderTerms } from '../../model/order.js';
import type { DecisionCounts, DecisionDifference } from '../../runner/black-box/decision-diff.js';
import type { Decided } from '../../runner/black-box/what-if.js';
import type { Code, SessionDiff } from '../replay/replay-diff.js';
import { momentText } from './moment.js';
import { triggerText } from './trigger-text.js';

/** The most rows for people; `--json` has up to a thousand. */
const SHOWN = 20;

/** Shown with every result, in both forms. */
const FILLS_AS_RECORDED =
  'recorded is what the session did; unchanged and changed are what it would do with its own and with the other ' +
  'settings if each order rested from its sending until it is filled or canceled, orders at market too. Fills are those ' +
  'that were recorded: they do not react to other orders, and an order that only the changed session places is never ' +
  'filled; so no profit is claimed';

export function diffJson(diff: SessionDiff): object {
  const { market, inputs, differing, differences, params, end } = diff;
  const [first] = differences;
  return {
    session: diff.recordedSession.session,
    engine: diff.recordedSession.engine,
    strategy: diff.strategy.name,
    ...(diff.changedStrategy === undefined ? {} : { changedStrategy: diff.changedStrategy.name }),
    params: params.map(({ name, recorded, changed }) => ({ name, recorded, changed })),
    inputs,
    differing,
    recorded: countsJson(diff.recorded, market),
    unchanged: countsJson(diff.unchanged, market),
    changed: countsJson(diff.changed, market),
    ...(first === undefined ? {} : { firstDifference: rowJson(first, market) }),
    differences: differences.map((row) => rowJson(row, market)),
    ...(diff.notReproduced === undefined ? {} : { notReproduced: diff.notReproduced }),
    end,
    note: FILLS_AS_RECORDED,
  };
}

function countsJson({ orders, cancels, refusals, buys, sells }: DecisionCounts, market: Market): object {
  const { quantityGrid } = market;
  return { orders, cancels, refusals, bought: textOf(quantityGrid, buys), sold: textOf(quantityGrid, sells) };
}

function rowJson({ input, event, time, unchanged, changed }: DecisionDifference, market: Market): object {
  const at = time === undefined ? {} : { time };
  return { input, event, ...at, unchanged: said(unchanged, market), changed: said(changed, market) };
}

export function diffText(diff: SessionDiff): string {
  const { market, inputs, differing, differences, recordedSession } = diff;
  const rows = differences.slice(0, SHOWN).flatMap((row) => rowLines(row, market));
  const more = differing > SHOWN ? [`… and ${differing - SHOWN} more inputs`] : [];
  const caveat =
    diff.notReproduced === undefined
      ? []
      : [`NOT reproduced: ${diff.notReproduced}; unchanged and changed are of the strategy as it is now`];
  return [
    `${recordedSession.session} with ${changesText(diff)}`,
    ...caveat,
    '',
    row('', 'recorded', 'unchanged', 'changed'),
    ...countLines(diff),
    '',
    differing === 0
      ? `the same decisions on all ${inputs} inputs`
      : `other decisions on ${differing} of ${inputs} inputs`,
    ...rows,
    ...more,
    '',
    FILLS_AS_RECORDED,
  ].join('\n');
}

/** The changes, in the words in which the daemon reports them once they are made. */
function changesText({ strategy, changedStrategy, params }: SessionDiff): string {
  const values = params.map(
    ({ name, recorded, changed }) => `${name} ${recorded ?? 'none'} -> ${changed ?? 'none'}`,
  );
  if (changedStrategy === undefined) return values.join(', ') || 'the same parameters';
  const isSame = strategy.name === changedStrategy.name && strategy.sha256 === changedStrategy.sha256;
  const code = isSame
    ? `the same strategy, ${codeText(strategy)}`
    : `strategy ${codeText(strategy)} -> ${codeText(changedStrategy)}`;
  return [code, ...values].join(', ');
}

function codeText({ name, sha256 }: Code): string {
  return `${name} ${sha256.slice(0, 12)}`;
}

function countLines({ recorded, unchanged, changed, market }: SessionDiff): string[] {
  const { quantityGrid, base } = market;
  const quantity = (lots: number) => `${textOf(quantityGrid, lots)} ${base}`;
  const line = (name: string, of: (counts: DecisionCounts) => string) =>
    row(name, of(recorded), of(unchanged), of(changed));
  return [
    line('orders', ({ orders }) => String(orders)),
    line('  to buy', ({ buys }) => quantity(buys)),
    line('  to sell', ({ sells }) => quantity(sells)),
    line('cancels', ({ cancels }) => String(cancels)),
    line('refused', ({ refusals }) => String(refusals)),
  ];
}

function row(name: string, ...cells: readonly string[]): string {
  return `${name.padEnd(12)}${cells.map((cell) => cell.padStart(16)).join('')}`;
}

function rowLines({ input, event, time, unchanged, changed }: DecisionDifference, market: Market): string[] {
  const at = time === undefined ? '' : ` at ${momentText(time)}`;
  return [
    `input ${input}, ${event}${at}`,
    `  unchanged  ${said(unchanged, market).join('; ') || 'nothing'}`,
    `  changed    ${said(changed, market).join('; ') || 'nothing'}`,
  ];
}

function said({ places, cancels, refusals }: Decided, market: Market): string[] {
  return [
    ...cancels.map((terms) => `cancel ${orderText(terms, market)}`),
    ...places.map((terms) => orderText(terms, market)),
    ...refusals.map(({ rule, asked, bound }) => `refused by ${rule}: ${asked}, bound ${bound}`),
  ];
}

function orderText({ side, lots, ticks, postOnly, reduceOnly, trigger }: OrderTerms, market: Market): string {
  const price = ticks === undefined ? 'at market' : `at ${textOf(market.priceGrid, ticks)}`;
  const flags = `${postOnly ? ' post-only' : ''}${reduceOnly ? ' reduce-only' : ''}`;
  const when = triggerText(trigger, (at) => textOf(market.priceGrid, at));
  return `${side} ${textOf(market.quantityGrid, lots)} ${price}${flags}${when}`;
}
