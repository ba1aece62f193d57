import type { AccountShare } from '../model/event.js';
import type { DaemonSession } from './daemon-session.js';

type Sharing = Pick<DaemonSession, 'core' | 'others'>;

/**
 * Lets several sessions stay within the limits of one account: each is told what the others have, before it decides
 * anything that comes after it. Money of different quote assets is not added up; orders are counted over all.
 */
export class AccountShares {
  readonly #sessions: () => readonly Sharing[];
  readonly #told = new Map<Sharing, AccountShare>();
  #telling = false;

  constructor(sessions: () => readonly Sharing[]) {
    this.#sessions = sessions;
  }

  /** Tells each what has changed for it. To be called after every decision of any of them. */
  refresh(): void {
    const sessions = this.#sessions();
    // What one of them decides because it was told comes back here; the round that is under way sees it.
    if (this.#telling || sessions.length < 2) return;
    this.#telling = true;
    try {
      for (const session of sessions) this.#tell(session, sessions);
    } finally {
      this.#telling = false;
    }
  }

  #tell(session: Sharing, sessions: readonly Sharing[]): void {
    const { quote } = session.core.engine.market;
    let [notional, openOrders, pnl] = [0, 0, 0];
    for (const other of sessions) {
      if (other === session) continue;
      const { share } = other.core.risk;
      openOrders += share.openOrders;
      if (other.core.engine.market.quote !== quote) continue;
      notional += share.notional;
      pnl += share.pnl;
    }
    const told = this.#told.get(session);
    if (told?.notional === notional && told.openOrders === openOrders && told.pnl === pnl) return;
    const share = { notional, openOrders, pnl };
    this.#told.set(session, share);
    session.others(share);
  }
}
