/** How a daemon ends: its sessions first, then what was held, where nothing is to be; and what of it is not proven. */
import type { Daemon, DaemonEnd } from '../../daemon/daemon.js';
import type { Machine } from '../machine.js';
import { say } from '../view/output.js';
import { proofText } from '../view/proof-text.js';
import type { ConnectionOptions, KeyedConnectionOptions } from '../connection/connection.js';
import { canceledBy } from '../journal/journaled.js';
import type { Settings } from '../settings/settings.js';
import { stopBot } from '../stop/stop-bot.js';
import { journaledLeft } from './what-ran.js';

export interface EndingDaemon {
  readonly settings: Settings;
  /** With a key in live mode. */
  readonly venue: ConnectionOptions | KeyedConnectionOptions;
  readonly daemon: Pick<Daemon, 'finish' | 'unbegun'>;
}

/** Together with the end of its sessions shorter than a sentinel waits for a daemon that ends. */
const FLAT_MS = 60_000;

/**
 * Resolves to what may be left at the venue, in words: orders that are left as asked, else what should not be there or
 * is not proven to be gone. Never rejects once the sessions have ended.
 */
export async function finishDaemon(
  machine: Machine,
  { settings, venue, daemon }: EndingDaemon,
  end: DaemonEnd,
  flatMs = FLAT_MS,
): Promise<readonly string[]> {
  const level = end.kind === 'stop' ? end.level : 'cancel';
  const finish = () => daemon.finish(level === 'leave' ? 'leave' : 'cancel');
  const { result: leftOpen, canceled } =
    level === 'flat' && 'credentials' in venue
      ? await canceledBy(machine.files, settings.state, finish)
      : { result: await finish(), canceled: undefined };
  if (!('credentials' in venue)) return leftOpen;
  if (level !== 'flat' || end.kind !== 'stop') {
    return level === 'leave'
      ? leftOpen
      : [...leftOpen, ...(await journaled(machine, settings, daemon.unbegun))];
  }
  const { by, reason } = end;
  try {
    const { proof, file } = await stopBot(
      machine,
      { settings, venue },
      // What was closed must not be opened again by whoever starts the daemon anew.
      { level, latches: true, all: false, deadlineMs: flatMs, by, reason, canceled },
    );
    machine.log.info(proof.proven ? 'flat, and proven' : 'flat is not proven', { proof: file });
    await say(proofText(proof, file));
    return proof.pairs.flatMap(({ pair, unproven }) => unproven.map((what) => `${pair}: ${what}`));
  } catch (error) {
    return [`that nothing is held: ${error instanceof Error ? error.message : String(error)}`, ...leftOpen];
  }
}

/** Where nobody looked at the venue, what the life before has left is in its journal alone. */
async function journaled(
  { files }: Machine,
  { state }: Settings,
  pairs: readonly string[],
): Promise<readonly string[]> {
  if (pairs.length === 0) return [];
  try {
    return await journaledLeft(files, state, 'cancel', (pair) => pairs.includes(pair));
  } catch (error) {
    return [`what ${pairs.join(', ')} have left: ${error instanceof Error ? error.message : String(error)}`];
  }
}
