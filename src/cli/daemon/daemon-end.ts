/** Ends a daemon: first its sessions, then, if it has to be flat, its positions. Tells what of this is not proven. */
import type { Daemon, DaemonEnd } from '../../daemon/daemon.js';
import type { Machine } from '../machine.js';
import { say } from '../view/output.js';
import { proofText } from '../view/proof-text.js';
import type { ConnectionOptions, KeyedConnectionOptions } from '../connection/connection.js';
import { canceledBy } from '../journal/journaled.js';
import type { Settings } from '../settings/settings.js';
import type { EndOfOrders } from '../../runner/session-gateway.js';
import { stopBot } from '../stop/stop-bot.js';
import { journaledLeft } from './what-ran.js';

export interface EndingDaemon {
  readonly settings: Settings;
  /** Has a key in live mode. */
  readonly venue: ConnectionOptions | KeyedConnectionOptions;
  readonly daemon: Pick<Daemon, 'finish' | 'unbegun'>;
}

/** An error that the daemon cannot go on after. */
export interface Crash {
  readonly kind: 'crash';
  readonly reason: string;
}

/** Bound on closing positions, ms. Together with the end of the sessions it must be less than a sentinel's patience. */
const FLAT_MS = 60_000;

/**
 * Resolves to texts of what may be left at the venue: with level `leave` the orders that stay as asked, otherwise
 * whatever should be gone and is not proven to be. Never rejects after the sessions have ended.
 */
export async function finishDaemon(
  machine: Machine,
  { settings, venue, daemon }: EndingDaemon,
  end: DaemonEnd | Crash,
  flatMs = FLAT_MS,
): Promise<readonly string[]> {
  const level = end.kind === 'stop' ? end.level : 'cancel';
  const finish = () => daemon.finish(endOfOrders(end));
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
      // The halt stays latched, so that a supervisor that restarts the daemon does not open the positions again.
      { level, latches: true, all: false, deadlineMs: flatMs, by, reason, canceled },
    );
    machine.log.info(proof.proven ? 'flat, and proven' : 'flat is not proven', { proof: file });
    await say(proofText(proof, file));
    return proof.pairs.flatMap(({ pair, unproven }) => unproven.map((what) => `${pair}: ${what}`));
  } catch (error) {
    return [`that nothing is held: ${error instanceof Error ? error.message : String(error)}`, ...leftOpen];
  }
}

/** Whom nobody asked to end keeps his stops: they guard the positions until the next start, however soon it comes. */
function endOfOrders(end: DaemonEnd | Crash): EndOfOrders {
  if (end.kind !== 'stop') return 'keep-stops';
  return end.level === 'leave' ? 'leave' : 'cancel';
}

/** For pairs that never reached the venue in this life, only the journal tells what an earlier life left. */
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
