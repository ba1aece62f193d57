import type { Log } from '../ports/log.js';
import type { SessionCore } from '../session/session-core.js';

/** Says in the log each time that a session closes a position by `limits.maxBareTime`. Call it after each event. */
export function bareAlarm(log: Log, { engine, risk: { limits } }: SessionCore): () => void {
  let told = 0;
  return () => {
    const hits = engine.bareUse?.hits ?? 0;
    if (hits === told) return;
    told = hits;
    log.error('a position had no stop at the venue for as long as limits.maxBareTime allows: it is closed', {
      pair: engine.market.pair,
      maxBareMs: limits.maxBareMs,
      position: engine.position.lots / engine.market.quantityGrid.scale,
    });
  };
}
