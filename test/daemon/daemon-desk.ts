/** A daemon on session doubles, in virtual time. */
import { Daemon } from '../../src/daemon/daemon.js';
import { type DaemonEvent, NO_MARK } from '../../src/daemon/daemon-api.js';
import type { DaemonOptions } from '../../src/daemon/daemon-options.js';
import { defineMarket } from '../../src/model/market.js';
import { SILENT } from '../../src/ports/log.js';
import { VirtualTime } from '../support/virtual-time.js';
import type { SessionDouble } from './session-double.js';

export const ETH = defineMarket({
  pair: 'USD_ETH_PERP',
  base: 'ETH',
  quote: 'USD',
  price: { min: '0.1', max: '1000000', step: '0.1' },
  quantity: { min: '0.001', max: '100', step: '0.001' },
  fees: { maker: '0.0002', taker: '0.0006' },
});
export const ME = { by: 'a test', reason: 'to see' };

export const markOf = (daemon: Daemon) => daemon.status().halted?.mark ?? NO_MARK;

export function daemonOf(sessions: readonly SessionDouble[], options: Partial<DaemonOptions> = {}) {
  const time = new VirtualTime();
  const events: DaemonEvent[] = [];
  const errors: unknown[] = [];
  const daemon = new Daemon({
    clock: time.clock,
    timers: time.timers,
    log: { ...SILENT, error: (_, facts) => void errors.push(facts?.['what']) },
    mode: 'live',
    venue: 'http://127.0.0.1:1',
    version: '0',
    pid: 1,
    entries: sessions.map(({ entry }) => entry),
    gauge: () => ({ rssBytes: 1, heapBytes: 1 }),
    memoryCeilingBytes: 100,
    ...options,
  });
  daemon.listen((event) => events.push(event));
  const start = () => time.until(daemon.start());
  return { time, daemon, events, errors, start };
}
