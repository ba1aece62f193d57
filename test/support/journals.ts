import type { Lots, Ticks } from '../../src/model/grid.js';
import type { JournalRecord } from '../../src/model/journal-record.js';
import { segmentPath } from '../../src/storage/journal/journal-layout.js';
import type { JournalOptions } from '../../src/storage/journal/journal-options.js';
import { JournalWriter, type OpenJournal } from '../../src/storage/journal/journal-writer.js';
import { MemoryFiles } from './memory-files.js';
import { VirtualTime } from './virtual-time.js';

/** A journal on a disk in memory. */
export interface JournalDesk {
  readonly directory: string;
  readonly files: MemoryFiles;
  readonly time: VirtualTime;
  readonly open: (options?: Partial<JournalOptions>) => Promise<OpenJournal>;
  /** The bytes of the segment that begins with this record. */
  readonly segment: (first?: number) => Uint8Array;
  readonly put: (bytes: Uint8Array, first?: number) => void;
}

export function journalDesk(): JournalDesk {
  const directory = '/bot/journal';
  const files = new MemoryFiles();
  const time = new VirtualTime();
  files.now = time.clock.wall();
  return {
    directory,
    files,
    time,
    open: (options) =>
      JournalWriter.open({
        directory,
        files,
        timers: time.timers,
        clock: time.clock,
        ballastBytes: 0,
        ...options,
      }),
    segment: (first = 1) => files.contents.get(segmentPath(directory, first)) as Uint8Array,
    put: (bytes, first = 1) => files.set(segmentPath(directory, first), bytes),
  };
}

/** The story of one order after the other: eight records each, of the sizes that a bot writes. */
export function orderRecord(index: number): JournalRecord {
  const order = Math.floor(index / 8);
  const intent = `b7f29c-${order + 1}`;
  const orderId = `0191f2c4-7a10-7c3e-9d00-${String(order).padStart(12, '0')}`;
  const pair = 'USD_BTC_PERP';
  const time = 1_723_161_256_322 + index * 37;
  switch (index % 8) {
    case 0:
      return {
        kind: 'prep',
        intent,
        pair,
        terms: {
          side: order % 2 === 0 ? 'buy' : 'sell',
          type: 'limit',
          ticks: (600_000 + (order % 900)) as Ticks,
          lots: (10 + (order % 7)) as Lots,
          timeInForce: 'GTC',
          postOnly: false,
          reduceOnly: false,
        },
        tag: intent,
        sentAt: time,
        validUntil: time + 5_000,
        wall: time + 3,
        bodySha256: String(order).padStart(64, '7'),
        position: ((order % 5) - 2) as Lots,
      };
    case 1:
      return order % 3 === 0
        ? { kind: 'out', intent, outcome: 'in-doubt', reason: 'no answer within 10 s' }
        : { kind: 'out', intent, outcome: 'accepted', orderId };
    case 2:
      return {
        kind: 'adopt',
        intent,
        orderId,
        as: 'own',
        evidence: 'the tag is the same, seen among the orders',
      };
    case 3:
    case 4:
      return {
        kind: 'fill',
        pair,
        intent,
        liquidation: false,
        fill: {
          id: String(5_000_000 + index),
          orderId,
          time,
          side: order % 2 === 0 ? 'buy' : 'sell',
          lots: 5 as Lots,
          ticks: (600_000 + (order % 900)) as Ticks,
          liquidity: 'maker',
          fee: -12n * BigInt(order),
        },
      };
    case 5:
      return { kind: 'state', pair, state: 'SYNCED', reason: 'orders, fills and position agree', time };
    case 6:
      return { kind: 'note', text: `pause – “${order}” 0123abcd 7 {}`, wall: time };
    default:
      return { kind: 'end', intent, orderId, status: 'filled', filled: 10 as Lots, time };
  }
}
