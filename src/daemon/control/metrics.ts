import { Counter, Gauge, Registry } from 'prom-client';
import type { DaemonStatus } from '../daemon-api.js';
import { HUNG_MS } from './remote-daemon.js';

const STATES = ['starting', 'running', 'paused', 'halted', 'stopping', 'hung', 'unknown'] as const;
const PAIR_STATES = ['BOOT', 'RECONCILING', 'SYNCED', 'SUSPECT', 'QUARANTINED', 'HALTED'] as const;

/** The status in Prometheus' text format. For a hung engine it is the last status, and says that the engine hangs. */
export async function metricsText(status: DaemonStatus | undefined, silentMs: number): Promise<string> {
  const registry = new Registry();
  const gauge = (name: string, help: string, labelNames: readonly string[] = []) =>
    new Gauge({ name: `tickwright_${name}`, help, labelNames: [...labelNames], registers: [registry] });
  gauge('engine_silence_seconds', 'Since the last sign of life of the engine').set(silentMs / 1_000);
  gauge('engine_answers', 'Whether the engine said the rest now; without an answer there is no rest').set(
    status === undefined ? 0 : 1,
  );
  const state = gauge('state', '1 for the state that holds', ['state']);
  const holds = status?.state ?? (silentMs > HUNG_MS ? 'hung' : 'unknown');
  for (const each of STATES) state.set({ state: each }, each === holds ? 1 : 0);
  if (status === undefined) return registry.metrics();
  gauge('uptime_seconds', 'Since the start').set(status.uptimeMs / 1_000);
  gauge('problems', 'Problems that a person should know of').set(status.problems.length);
  gauge('resident_memory_bytes', 'Resident memory').set(status.memory.rssBytes);
  gauge('heap_bytes', 'Heap in use').set(status.memory.heapBytes);
  gauge('event_loop_lag_p99_seconds', 'Over the last minute').set(status.loopLag.p99Ms / 1_000);
  gauge('requests_allowed_per_second', 'As the venue lets us').set(status.budget.perSecond);
  if (status.clock !== undefined) {
    gauge('clock_offset_seconds', "Of the venue's clock").set(status.clock.offsetMs / 1_000);
    gauge('clock_uncertainty_seconds', "Of the venue's clock").set(status.clock.uncertaintyMs / 1_000);
  }
  const pnl = gauge('pnl_today', 'In units of the asset, since 00:00 UTC', ['asset']);
  for (const [asset, { today }] of Object.entries(status.pnl)) pnl.set({ asset }, Number(today));
  const suspense = gauge('suspense', 'Money that nothing explains', ['asset']);
  for (const { asset, amount } of status.suspense) suspense.set({ asset }, Number(amount));
  const byPair = ['pair'];
  const pairState = gauge('pair_state', '1 for the state that holds', ['pair', 'state']);
  const risk = gauge(
    'pair_may_add_risk',
    'Whether anything but limits keeps orders from adding risk: 0 if so',
    byPair,
  );
  const position = gauge('position', 'Base units, signed', byPair);
  const orders = gauge('open_orders', 'That are or may be at the venue', byPair);
  const doubt = gauge('orders_in_doubt', 'Nobody knows yet whether they were placed', byPair);
  const age = gauge('poll_age_seconds', 'Since the newest answer', byPair);
  const events = new Counter({
    name: 'tickwright_events_total',
    help: 'Since the start',
    labelNames: ['pair', 'kind'],
    registers: [registry],
  });
  for (const each of status.pairs) {
    const { pair } = each;
    for (const name of PAIR_STATES) pairState.set({ pair, state: name }, name === each.state ? 1 : 0);
    const mayAdd = each.running && each.permission === 'all' && each.ordersWait === undefined;
    risk.set({ pair }, mayAdd ? 1 : 0);
    // An unknown value is left out: 0 would claim to know it.
    if (each.position !== undefined) position.set({ pair }, Number(each.position));
    if (each.orders !== undefined) orders.set({ pair }, each.orders.length);
    if (each.doubt !== undefined) doubt.set({ pair }, each.doubt);
    if (each.pollAgeMs !== undefined) age.set({ pair }, each.pollAgeMs / 1_000);
    for (const [kind, count] of Object.entries({ ...each.counts, gaps: each.gaps }))
      events.inc({ pair, kind }, count);
  }
  return registry.metrics();
}
