/** Shows the plan of an attachment to people and programs. */
import { decimalOf } from '../../model/grid.js';
import type { Market } from '../../model/market.js';
import type { AttachPlan } from '../../runner/attach-plan.js';
import { quantityText } from '../../runner/attach-plan.js';
import { factLines } from './record-table.js';
import { printable } from './printable.js';

/** The plan as JSON; positions are in base units. */
export function attachJson(plan: AttachPlan, { quantityGrid }: Market): Record<string, unknown> {
  const { pair, journal, venue, differences } = plan;
  const decimal = (lots: number) => decimalOf(quantityGrid, lots).toFixed();
  const { position, session, halt, quarantine, ...rest } = journal;
  return {
    pair,
    journal: {
      ...(session === undefined ? {} : { session }),
      ...(position === undefined ? {} : { position: decimal(position) }),
      ...(halt === undefined ? {} : { halt }),
      ...(quarantine === undefined ? {} : { quarantine }),
      ...rest,
    },
    venue: { ...venue, position: decimal(venue.position) },
    differences,
  };
}

export function attachText({ pair, journal, venue, differences }: AttachPlan, market: Market): string {
  const facts = factLines([
    ['pair', pair],
    ['journal', positionOf(journal.position)],
    ['  session', journal.session],
    ['  open orders', journal.openOrders.join(' ')],
    ['  in doubt', journal.doubts.join(' ')],
    ['venue', positionOf(venue.position)],
    ['  active orders', venue.activeOrders.join(' ')],
    ['  unbooked fills', venue.unbookedFills.join(' ')],
  ]);
  return [facts, '', ...planLines()].join('\n');

  function planLines(): readonly string[] {
    if (differences.length === 0) return ['no differences'];
    const count = differences.filter(({ endedBy }) => endedBy === 'operator').length;
    return [
      ...differences.flatMap(({ kind, subject, evidence, action, endedBy }) => [
        `${endedBy === 'operator' ? '!' : '·'} ${kind} ${printable(subject)}`,
        `    ${printable(evidence)}`,
        `    → ${printable(action)}`,
      ]),
      '',
      count === 0
        ? 'a start ends them by itself'
        : `${count} of ${differences.length} must be ended by a person (!)`,
    ];
  }

  function positionOf(lots: number | undefined): string {
    return lots === undefined ? 'says nothing about the pair' : `holds ${quantityText(market, lots)}`;
  }
}
