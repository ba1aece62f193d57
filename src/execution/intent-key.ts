import type { IntentKey } from '../model/journal-record.js';
import type { IntentId } from '../model/order.js';

/** An intent's name in the journal and, where the venue echoes one, its tag: sessions differ, and each counts from 1. */
export function intentKey(session: string, intentId: IntentId): IntentKey {
  return `${session}-${intentId}`;
}

/** Which intent of this session; `undefined` for another's. */
export function intentIdOf(session: string, key: IntentKey): IntentId | undefined {
  const prefix = `${session}-`;
  const rest = key.startsWith(prefix) ? key.slice(prefix.length) : '';
  return /^\d+$/.test(rest) ? Number(rest) : undefined;
}
