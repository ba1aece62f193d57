import { sha256 } from '../model/digest.js';
import type { Account } from '../venue/core/account.js';
import { Facts, type WriteFacts } from './facts.js';
import { faultKind } from './fault-kind.js';
import { duplicatesOf, type Invariant, INVARIANTS } from './invariant.js';
import type { InvariantName } from './invariant-name.js';
import type { RunningSubject, Subject, SubjectConfig } from './subject.js';
import { MARKET } from './subject-config.js';
import type { SwarmPlan } from './swarm-plan.js';
import type { Tally } from './tally.js';
import type { Execution, SentWrite } from './world/ground-truth.js';
import type { TraceLine } from './world/trace.js';
import type { VenueWorld } from './world/venue-world.js';
import type { VirtualDisk } from './world/virtual-disk.js';

/** A broken promise. */
export interface Violation {
  readonly invariant: InvariantName;
  readonly claim: string;
  /** Virtual ms since the start of the run. */
  readonly timeMs: number;
  readonly what: string;
  /** The last events before, oldest first. */
  readonly tail: readonly TraceLine[];
}

export interface OracleOptions {
  readonly world: VenueWorld;
  readonly plan: SwarmPlan;
  readonly account: Account;
  readonly disk: VirtualDisk;
  readonly subject: Subject;
  readonly config: Omit<SubjectConfig, 'session'>;
}

/** Results of a run, as far as the truth alone shows them. */
export interface OracleCounts {
  readonly intents: number;
  readonly writes: number;
  readonly orders: number;
  /**
   * Number of intents with several orders: from several requests of the program, and from a request that something in
   * between repeated.
   */
  readonly duplicates: number;
  readonly duplicatesByOthers: number;
  /** Orders of the program that it never learned of. */
  readonly orphans: number;
  /** Orders that appeared after they had been judged not placed; possible only if A2 is broken. */
  readonly late: number;
  readonly unexplainedSynced: number;
  /** Largest |own position| ÷ limit. */
  readonly worst: number;
  /** Share of the time in which the program said SYNCED, 0 to 1. */
  readonly synced: number;
}

type Occasion = Exclude<keyof Invariant, 'name' | 'claim'>;

const TAIL = 50;
const ORDER_PATHS = new Set(['/auth/order', '/auth/order/bulk', '/auth/close']);

/**
 * Watches a run from outside. It knows what really happened, and compares it with what the program promises and says.
 */
export class Oracle {
  readonly facts: Facts;
  readonly violations: Violation[] = [];
  readonly #options: OracleOptions;
  readonly #promised: readonly Invariant[];
  readonly #broken = new Set<InvariantName>();
  #running: RunningSubject | undefined;
  #life = '';
  #late = 0;
  #said = '';
  #failure: Error | undefined;
  readonly #met = new Map<string, Map<string, number>>();
  #lastRecord = { path: '', at: 0 };

  constructor(options: OracleOptions) {
    this.#options = options;
    const { world, plan, account, subject, config } = options;
    this.facts = new Facts({
      plan,
      account,
      limit: config.maxPosition,
      staleMs: config.staleMs,
      clock: () => world.scheduler.now,
    });
    const broken = plan.mode === 'A1-broken' ? 'A1' : plan.mode === 'A2-broken' ? 'A2' : undefined;
    this.#promised = INVARIANTS.filter(
      ({ name, needs = [] }) => subject.promises.has(name) && !needs.some((each) => each === broken),
    );
    const { truth, core } = world;
    truth.onWrite((write) => this.#guarded(() => this.#onWrite(write)));
    truth.onExecution((write, execution) => this.#guarded(() => this.#onExecution(write, execution)));
    world.onFault((name) => this.#guarded(() => this.struck(name)));
    core.onFill((order, fill) => {
      if (order.account !== account || order.pair !== config.market.pair) return;
      this.#guarded(() => {
        this.facts.filled(order, fill);
        this.#check('onPosition');
      });
    });
  }

  begin(life: string, running: RunningSubject): void {
    this.#life = life;
    this.#running = running;
    this.facts.begin(running);
    this.#check('always');
  }

  end(): void {
    this.facts.end();
    this.#running = undefined;
  }

  /** Checks everything. To be called once per second of virtual time, and more often if that is cheap. */
  look(): void {
    const { world, account, config } = this.#options;
    if (this.#failure !== undefined) throw this.#failure;
    world.venueNow();
    this.facts.positionIs(world.core.position(account, config.market.pair).lots);
    this.facts.look();
    this.facts.looks++;
    if (this.facts.claim?.state === 'SYNCED') this.facts.syncedLooks++;
    if (this.facts.claim?.state === 'QUARANTINED' && this.#isOnDisk('QUARANTINED')) {
      this.facts.quarantinedSince ??= this.facts.now;
    }
    this.#noteClaim();
    this.#check('always');
  }

  /** Notes that nothing of the program runs for `ms`. */
  suspended(ms: number): void {
    this.facts.fallsAsleep(ms);
  }

  /** To be called T_live after the last fault. */
  healed(): void {
    this.look();
    this.#check('onHealed');
  }

  /** To be called at the end of the calm. */
  finish(): void {
    this.look();
    this.#check('atEnd');
  }

  /** Attributes the fills during `act` to somebody else. */
  foreign(act: () => void): void {
    this.facts.isForeign = true;
    act();
    this.facts.isForeign = false;
  }

  /** Notes that the program has received market data that it requested at virtual time `askedAt`, ms. */
  answered(life: string, askedAt: number): void {
    if (life === this.#life) this.facts.dataAsOf = Math.max(this.facts.dataAsOf, askedAt);
  }

  /** Notes that a fault or an incident strikes. */
  struck(name: string): void {
    const kind = faultKind(name);
    const state = this.#running?.claims()[0]?.state ?? 'down';
    const states = this.#met.get(kind) ?? new Map<string, number>();
    this.#met.set(kind, states.set(state, (states.get(state) ?? 0) + 1));
  }

  /** How often each kind of fault struck in each state of the pair. */
  met(): Readonly<Record<string, Tally>> {
    return Object.fromEntries([...this.#met].map(([kind, states]) => [kind, Object.fromEntries(states)]));
  }

  /** What the program said last. */
  get lastWords(): string {
    return this.#said;
  }

  counts(): OracleCounts {
    const { facts } = this;
    const { byUs, byOthers } = duplicatesOf(facts.intents.values());
    return {
      intents: facts.intents.size,
      writes: facts.writes.size,
      orders: facts.orders.size,
      duplicates: byUs,
      duplicatesByOthers: byOthers,
      // The answer to a request that was executed just before the end may still be on its way, so its order does not
      // count.
      orphans: facts.orphans().filter(({ acceptedAt }) => acceptedAt <= facts.now - facts.plan.bounds.postMs)
        .length,
      late: this.#late,
      unexplainedSynced: facts.unexplainedClaims,
      worst: facts.worstPosition / facts.limit,
      synced: facts.looks === 0 ? 0 : facts.syncedLooks / facts.looks,
    };
  }

  /** Keeps an error of the oracle for later: thrown here, the program under test would catch it. */
  #guarded(hear: () => void): void {
    try {
      hear();
    } catch (error) {
      this.#failure ??= error as Error;
    }
  }

  /** Adds the program's claims to the trace. */
  #noteClaim(): void {
    const { claim } = this.facts;
    const says = claim === undefined ? 'nothing' : `${claim.state} ${claim.position} ${claim.reason ?? ''}`;
    if (says === this.#said) return;
    this.#said = says;
    const { trace, scheduler } = this.#options.world;
    trace.note(scheduler.now, 'the program says', says);
  }

  #onWrite({ number, life, path, body }: SentWrite): void {
    if (!ORDER_PATHS.has(path)) return;
    const running = life === this.#life ? this.#running : undefined;
    this.facts.look();
    const write: WriteFacts = {
      number,
      life,
      intent: running?.intentOf(body),
      addsRisk: path !== '/auth/close' && !/(?:^|&)reduce_only=true(?:&|$)/.test(body),
      marketLots: path === '/auth/order' ? marketLotsOf(body) : 0,
      isPrepared: this.#promises('I3') && this.#isPrepared(body),
    };
    this.facts.sent(write);
    this.#check('onWrite', write);
  }

  #onExecution({ number }: SentWrite, { orderIds }: Execution): void {
    const { world, account } = this.#options;
    for (const id of orderIds) {
      const order = world.core.order(account, id);
      if (order === undefined) continue;
      const intent = this.facts.writes.get(number)?.intent;
      const facts = { id, intent, write: number, acceptedAt: this.facts.now, order };
      this.facts.accepted(facts);
      if (intent !== undefined && this.facts.judgementOf(intent) === 'not-placed') this.#late++;
      this.#check('onOrder', facts);
    }
  }

  /**
   * Whether a durable file holds the record of a body. Records are appended to one file, so it searches first from the
   * last hit on.
   */
  #isPrepared(body: string): boolean {
    const { disk, config } = this.#options;
    const wanted = sha256(body);
    const { path: last, at } = this.#lastRecord;
    if (this.#findRecord(last, at, wanted)) return true;
    return disk.paths().some((path) => path.includes(config.directory) && this.#findRecord(path, 0, wanted));
  }

  #findRecord(path: string, from: number, wanted: string): boolean {
    const bytes = this.#options.disk.durable(path);
    if (bytes === undefined) return false;
    const at = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).indexOf(wanted, from);
    if (at >= 0) this.#lastRecord = { path, at };
    return at >= 0;
  }

  /**
   * Whether a text would survive a power loss. Once the program has noted its quarantine, this is not searched again.
   */
  #isOnDisk(text: string): boolean {
    if (this.facts.quarantinedSince !== undefined) return true;
    const { disk, config } = this.#options;
    const durable = disk
      .paths()
      .map((path) => (path.includes(config.directory) ? disk.durable(path) : undefined));
    return durable.some((bytes) => bytes !== undefined && Buffer.from(bytes).includes(text));
  }

  #promises(name: InvariantName): boolean {
    return this.#options.subject.promises.has(name);
  }

  #check(occasion: Occasion, subject?: unknown): void {
    for (const invariant of this.#promised) {
      const asked = invariant[occasion] as
        | ((facts: Facts, subject?: unknown) => string | undefined)
        | undefined;
      const what = asked?.(this.facts, subject);
      if (what !== undefined) this.#violated(invariant, what);
    }
  }

  /** Keeps the first violation of each invariant; later ones usually follow from it. */
  #violated({ name, claim }: Invariant, what: string): void {
    if (this.#broken.has(name)) return;
    this.#broken.add(name);
    const { world } = this.#options;
    this.violations.push({
      invariant: name,
      claim,
      timeMs: Math.round(world.scheduler.now),
      what,
      tail: world.trace.tail(TAIL),
    });
  }
}

function marketLotsOf(body: string): number {
  const fields = new URLSearchParams(body);
  if (fields.has('price') || fields.get('reduce_only') === 'true') return 0;
  const lots = Math.round(Number(fields.get('qty')) * MARKET.quantityGrid.scale);
  return fields.get('side') === 'SELL' ? -lots : lots;
}
