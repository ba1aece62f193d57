import { UsageError } from '../../model/errors.js';
import type { Fill } from '../../model/fill.js';
import type { Lots, Ticks } from '../../model/grid.js';
import { HALT_LEVELS } from '../../model/halt-level.js';
import type { JournalKind, JournalRecord, RiskMemory, TransferMark } from '../../model/journal-record.js';
import { type OrderTerms, type Trigger, TRIGGER_EVENTS } from '../../model/order.js';
import type { PairState } from '../../model/pair-state.js';
import { encodeJournalRecord } from './journal-encoder.js';
import { Fields } from '../json-fields.js';

const KINDS = Object.keys({
  start: 0,
  grid: 0,
  prep: 0,
  out: 0,
  adopt: 0,
  verdict: 0,
  end: 0,
  fill: 0,
  cancel: 0,
  checkpoint: 0,
  cut: 0,
  state: 0,
  halt: 0,
  resume: 0,
  baseline: 0,
  refusal: 0,
  note: 0,
} satisfies Record<JournalKind, 0>) as readonly JournalKind[];

const PAIR_STATES = [
  'BOOT',
  'RECONCILING',
  'SYNCED',
  'SUSPECT',
  'QUARANTINED',
  'HALTED',
] satisfies readonly PairState[];

const NEWER = 'a newer version of tickwright may have written it: read it with that version';

/**
 * Decodes a line that `encodeJournalRecord` wrote. It is strict: a record that this version would not have written in
 * exactly these characters is refused, because a field that a newer version added could change its meaning.
 *
 * @throws UsageError naming the field that is not what it must be.
 */
export function decodeJournalRecord(text: string): JournalRecord {
  const record = parseRecord(text);
  if (encodeJournalRecord(record) !== text) {
    throw codecError(`record (${record.kind}) must hold the fields that are known, in their order; ${NEWER}`);
  }
  return record;
}

function parseRecord(text: string): JournalRecord {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw codecError(`record must be JSON, received ${text.slice(0, 80)}`, cause);
  }
  const f = new Fields(value, 'record');
  const named = f.text('kind');
  const kind = KINDS.find((known) => known === named);
  if (kind === undefined) {
    throw codecError(
      `record.kind must be one of ${KINDS.join(', ')}, received ${JSON.stringify(named)}; ${NEWER}`,
    );
  }
  return readRecord(kind, f);
}

function readRecord(kind: JournalKind, f: Fields): JournalRecord {
  switch (kind) {
    case 'start': {
      const hashes = textsOf(f, 'hashes');
      return { kind, session: f.text('session'), wall: f.number('wall'), engine: f.text('engine'), hashes };
    }
    case 'grid':
      return { kind, pair: f.text('pair'), price: f.integer('price'), quantity: f.integer('quantity') };
    case 'prep':
      return {
        kind,
        intent: f.text('intent'),
        pair: f.text('pair'),
        terms: readTerms(f.object('terms')),
        tag: optionalText(f, 'tag'),
        sentAt: f.number('sentAt'),
        validUntil: f.optionalNumber('validUntil'),
        wall: f.number('wall'),
        bodySha256: f.text('bodySha256'),
        position: f.integer('position') as Lots,
      };
    case 'out': {
      const outcome = f.oneOf('outcome', ['accepted', 'refused', 'not-sent', 'in-doubt']);
      return outcome === 'accepted'
        ? { kind, intent: f.text('intent'), outcome, orderId: f.text('orderId') }
        : { kind, intent: f.text('intent'), outcome, reason: f.text('reason') };
    }
    case 'adopt':
      return {
        kind,
        intent: f.text('intent'),
        orderId: f.text('orderId'),
        as: f.oneOf('as', ['own', 'late', 'surplus']),
        evidence: f.text('evidence'),
      };
    case 'verdict':
      return {
        kind,
        intent: f.text('intent'),
        verdict: f.oneOf('verdict', ['refused', 'not-placed', 'disputed']),
        time: f.number('time'),
        evidence: f.text('evidence'),
      };
    case 'end':
      return {
        kind,
        intent: f.text('intent'),
        orderId: f.text('orderId'),
        status: f.oneOf('status', ['filled', 'canceled']),
        filled: f.integer('filled') as Lots,
        time: f.number('time'),
      };
    case 'fill':
      return {
        kind,
        pair: f.text('pair'),
        fill: readFill(f.object('fill')),
        intent: optionalText(f, 'intent'),
        liquidation: f.flag('liquidation'),
      };
    case 'cancel':
      return { kind, intent: f.text('intent'), orderId: f.text('orderId'), why: f.text('why') };
    case 'checkpoint':
      return {
        kind,
        pair: f.text('pair'),
        position: f.integer('position') as Lots,
        time: f.number('time'),
        fillIds: listOfTexts(f, 'fillIds'),
        by: f.text('by'),
        reason: f.text('reason'),
      };
    case 'cut':
      return {
        kind,
        pair: f.text('pair'),
        position: f.integer('position') as Lots,
        time: f.number('time'),
      };
    case 'state':
      return {
        kind,
        pair: f.text('pair'),
        state: f.oneOf('state', PAIR_STATES),
        reason: f.text('reason'),
        time: f.number('time'),
      };
    case 'halt':
      return {
        kind,
        level: f.oneOf('level', HALT_LEVELS),
        reason: f.text('reason'),
        by: f.text('by'),
        wall: f.number('wall'),
      };
    case 'resume':
      return { kind, reason: f.text('reason'), by: f.text('by'), wall: f.number('wall') };
    case 'baseline':
      return {
        kind,
        day: f.text('day'),
        equity: f.text('equity'),
        tripped: f.flag('tripped'),
        ...(f.has('memory') ? { memory: readRiskMemory(f.object('memory')) } : {}),
        ...(f.has('transfers') ? { transfers: readTransferMark(f.object('transfers')) } : {}),
        wall: f.number('wall'),
      };
    case 'refusal':
      return {
        kind,
        pair: f.text('pair'),
        intent: optionalText(f, 'intent'),
        rule: f.text('rule'),
        asked: f.text('asked'),
        bound: f.text('bound'),
        reason: f.text('reason'),
        time: f.number('time'),
      };
    case 'note':
      return { kind, text: f.text('text'), wall: f.number('wall') };
  }
}

function readTerms(f: Fields): OrderTerms {
  return {
    side: f.oneOf('side', ['buy', 'sell']),
    type: f.oneOf('type', ['limit', 'market']),
    ticks: f.has('ticks') ? (f.integer('ticks') as Ticks) : undefined,
    lots: f.integer('lots') as Lots,
    timeInForce: f.oneOf('timeInForce', ['GTC', 'IOC', 'FOK']),
    postOnly: f.flag('postOnly'),
    reduceOnly: f.flag('reduceOnly'),
    ...(f.has('trigger') ? { trigger: readTrigger(f.object('trigger')) } : {}),
  };
}

function readTrigger(f: Fields): Trigger {
  return { ticks: f.integer('ticks') as Ticks, event: f.oneOf('event', TRIGGER_EVENTS) };
}

/** Also used for headers of recordings, which hold the same fields. */
export function readRiskMemory(f: Fields): RiskMemory {
  const losses = f.integer('losses');
  return {
    peak: optionalText(f, 'peak'),
    fell: f.flag('fell'),
    losses,
    pausedUntil: f.number('pausedUntil'),
    open: optionalText(f, 'open'),
  };
}

function readTransferMark(f: Fields): TransferMark {
  return { until: f.number('until'), last: listOfTexts(f, 'last'), open: listOfTexts(f, 'open') };
}

function readFill(f: Fields): Fill {
  return {
    id: f.text('id'),
    orderId: f.text('orderId'),
    time: f.number('time'),
    side: f.oneOf('side', ['buy', 'sell']),
    lots: f.integer('lots') as Lots,
    ticks: f.integer('ticks') as Ticks,
    liquidity: f.oneOf('liquidity', ['maker', 'taker']),
    fee: f.bigint('fee'),
  };
}

function optionalText(f: Fields, name: string): string | undefined {
  return f.has(name) ? f.text(name) : undefined;
}

function textsOf(f: Fields, name: string): Readonly<Record<string, string>> {
  const texts = f.object(name);
  const names = Object.keys(f.value(name) as object);
  return Object.fromEntries(names.map((key) => [key, texts.text(key)]));
}

function listOfTexts(f: Fields, name: string): readonly string[] {
  return f.array(name).map((value, index) => {
    if (typeof value === 'string') return value;
    throw codecError(`record.${name}[${index}] must be a text, received ${JSON.stringify(value)}`);
  });
}

function codecError(message: string, cause?: unknown): UsageError {
  return new UsageError('TICKWRIGHT_E_JOURNAL_RECORD', message, { cause });
}
