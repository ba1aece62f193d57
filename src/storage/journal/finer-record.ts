import type { Lots, Ticks } from '../../model/grid.js';
import type { JournalRecord } from '../../model/journal-record.js';

/** How many of the new steps an old one is. */
export interface Finer {
  readonly ticks: number;
  readonly lots: number;
}

/** A record about an order that was written in coarser steps, in those of later records about it. */
export function finerRecord(record: JournalRecord, by: Finer): JournalRecord {
  const lotsOf = (lots: Lots) => (lots * by.lots) as Lots;
  const ticksOf = (ticks: Ticks) => (ticks * by.ticks) as Ticks;
  switch (record.kind) {
    case 'prep': {
      const { terms, position } = record;
      const { lots, ticks, trigger } = terms;
      const waits = trigger && { trigger: { ...trigger, ticks: ticksOf(trigger.ticks) } };
      const finer = { ...terms, lots: lotsOf(lots), ticks: ticks && ticksOf(ticks), ...waits };
      return { ...record, terms: finer, position: lotsOf(position) };
    }
    case 'fill': {
      const { fill } = record;
      return { ...record, fill: { ...fill, lots: lotsOf(fill.lots), ticks: ticksOf(fill.ticks) } };
    }
    case 'end':
      return { ...record, filled: lotsOf(record.filled) };
    default:
      return record;
  }
}
