import type { IntentKey } from '../model/journal-record.js';
import type { IntentId } from '../model/order.js';

/**
 * The name of an intent in the journal and, where the venue echoes tags, its tag. It includes the session, since each
 * session counts its intents from 1.
 */
export function intentKey(session: string, intentId: IntentId): IntentKey {
  return `${session}-${intentId}`;
}

/** The intent of this session that a key names; `undefined` for a key of another session. */
export function intentIdOf(session: string, key: IntentKey): IntentId | undefined {
  const prefix = `${session}-`;
  const rest = key.startsWith(prefix) ? key.slice(prefix.length) : '';
  return /^\d+$/.test(rest) ? Number(rest) : undefined;
}
