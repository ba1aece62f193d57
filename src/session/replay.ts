import type { EngineEvent } from '../model/event.js';
import { type CommandSink, SessionCore, type SessionObserver, type SessionOptions } from './session-core.js';

const NOWHERE: CommandSink = { send: () => undefined };

/** A session whose commands go nowhere by default: its decisions are compared with the recorded ones. */
export function replayCore(
  options: Omit<SessionOptions, 'sink' | 'observer'>,
  observer: SessionObserver,
  sink: CommandSink = NOWHERE,
): SessionCore {
  return new SessionCore({ ...options, sink, observer });
}

/** Feeds recorded inputs through a core in their order. */
export async function replay(core: SessionCore, events: AsyncIterable<EngineEvent>): Promise<void> {
  for await (const event of events) core.input(event);
}
