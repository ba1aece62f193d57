import type { EngineEvent } from '../model/event.js';
import { SessionCore, type SessionObserver, type SessionOptions } from './session-core.js';

/** A session whose commands go nowhere: its decisions are compared with those that were made. */
export function replayCore(
  options: Omit<SessionOptions, 'sink' | 'observer'>,
  observer: SessionObserver,
): SessionCore {
  return new SessionCore({ ...options, sink: { send: () => undefined }, observer });
}

/** Feeds recorded inputs through a core in their order. */
export async function replay(core: SessionCore, events: AsyncIterable<EngineEvent>): Promise<void> {
  for await (const event of events) core.input(event);
}
