/** Parses messages of the event stream; anything unknown is dropped. */
import type { CandleRow, DaemonEvent, DaemonStatus } from '../daemon-api.js';

export type Streamed =
  | { readonly kind: 'status'; readonly status: DaemonStatus }
  | { readonly kind: 'event'; readonly event: DaemonEvent };

const KINDS: Readonly<Record<DaemonEvent['kind'], true>> = {
  fill: true,
  'pair-state': true,
  halt: true,
  resume: true,
  refusal: true,
  venue: true,
  'strategy-failed': true,
  problem: true,
  equity: true,
  log: true,
};

/** `undefined`: a message of another version, or of another server. */
export function readStreamed(data: string): Streamed | undefined {
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch {
    return undefined;
  }
  const status = readStatus(value);
  if (status !== undefined) return { kind: 'status', status };
  const event = readEvent(value);
  return event === undefined ? undefined : { kind: 'event', event };
}

export function readStatus(value: unknown): DaemonStatus | undefined {
  if (!isRecord(value) || value['schemaVersion'] !== 1) return undefined;
  const isWhole = Array.isArray(value['pairs']) && Array.isArray(value['problems']) && isRecord(value['pnl']);
  return isWhole ? (value as unknown as DaemonStatus) : undefined;
}

function readEvent(value: unknown): DaemonEvent | undefined {
  if (!isRecord(value) || typeof value['time'] !== 'number' || typeof value['kind'] !== 'string') {
    return undefined;
  }
  return Object.hasOwn(KINDS, value['kind']) ? (value as unknown as DaemonEvent) : undefined;
}

export function readEvents(value: unknown): readonly DaemonEvent[] {
  return Array.isArray(value) ? value.flatMap((each) => readEvent(each) ?? []) : [];
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const PRICES = ['time', 'open', 'high', 'low', 'close', 'volume'] as const;

export function readCandles(value: unknown): readonly CandleRow[] {
  if (!Array.isArray(value)) return [];
  return value.filter(
    (row): row is CandleRow => isRecord(row) && PRICES.every((name) => Number.isFinite(row[name])),
  );
}
