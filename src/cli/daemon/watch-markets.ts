import type { Daemon } from '../../daemon/daemon.js';
import { MarketWatch } from '../../daemon/market-watch.js';
import type { Mode } from '../session/session-plan.js';
import type { Machine } from '../machine.js';
import { connect, type ConnectionOptions, profileOf } from '../connection/connection.js';

/**
 * Uses a connection of its own, without the key. If the requests came out of a session's budget, the session's decisions
 * could not be recomputed from its recording.
 */
export function watchMarkets(
  machine: Machine,
  {
    venue,
    mode,
    daemon,
  }: { readonly venue: ConnectionOptions; readonly mode: Mode; readonly daemon: Daemon },
): MarketWatch {
  const { clock, timers, log } = machine;
  const profile = profileOf(venue);
  return new MarketWatch({
    clock,
    timers,
    log,
    running: () => daemon.markets,
    async list(over) {
      const connection = connect(machine, { url: venue.url, profile });
      const giveUp = () => void connection.close();
      over.addEventListener('abort', giveUp, { once: true });
      try {
        return await connection.api.markets();
      } finally {
        over.removeEventListener('abort', giveUp);
        await connection.close();
      }
    },
    renew: mode === 'live' ? (pair, why) => daemon.renew(pair, why) : undefined,
    tell(pair, text) {
      log.warn('a market has changed', { what: text });
      daemon.tell({ kind: 'problem', time: clock.wall(), severity: 'warning', pair, text });
    },
  });
}
