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

/** A promise that was broken. */
export interface Violation {
  readonly invariant: InvariantName;
  readonly claim: string;
  /** Virtual ms from the start of the run. */
  readonly timeMs: number;
  readonly what: string;
  /** What happened last, oldest first. */
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

/** What a run came to, as far as truth alone can tell. */
export interface OracleCounts {
  readonly intents: number;
  readonly writes: number;
  readonly orders: number;
  /** Intents with several orders that several requests of the program have caused; and those that something between doubled. */
  readonly duplicates: number;
  readonly duplicatesByOthers: number;
  /** Orders of the program that it never learned of. */
  readonly orphans: number;
  /** Orders that came to be after the verdict that they had not: only where A2 does not hold. */
  readonly late: number;
  readonly unexplainedSynced: number;
  /** Largest |own position| over the limit. */
  readonly worst: number;
  /** Share of the time in which the program said SYNCED. */
  readonly synced: number;
}

type Occasion = Exclude<keyof Invariant, 'name' | 'claim'>;

const TAIL = 50;
const ORDER_PATHS = new Set(['/auth/order', '/auth/order/bulk', '/auth/close']);

/** Watches a run from outside: knows what really happened, and holds it against what the program promises and says. */
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

  /** To be called once a second of virtual time, and more often where it is cheap. */
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

  /** Nothing of the program runs for so long, ms. */
  suspended(ms: number): void {
    this.facts.fallsAsleep(ms);
  }

  /** The faults are over for T_live. */
  healed(): void {
    this.look();
    this.#check('onHealed');
  }

  /** The calm is over. */
  finish(): void {
    this.look();
    this.#check('atEnd');
  }

  /** What fills inside is somebody else's. */
  foreign(act: () => void): void {
    this.facts.isForeign = true;
    act();
    this.facts.isForeign = false;
  }

  /** The program has got market data that it asked for at this time, virtual ms. */
  answered(life: string, askedAt: number): void {
    if (life === this.#life) this.facts.dataAsOf = Math.max(this.facts.dataAsOf, askedAt);
  }

  /** A fault or an incident happens now. */
  struck(name: string): void {
    const kind = faultKind(name);
    const state = this.#running?.claims()[0]?.state ?? 'down';
    const states = this.#met.get(kind) ?? new Map<string, number>();
    this.#met.set(kind, states.set(state, (states.get(state) ?? 0) + 1));
  }

  /** How often each kind of fault has met each state of the pair. */
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
      // What was executed just before the end, its answer still on the way, is known to nobody yet.
      orphans: facts.orphans().filter(({ acceptedAt }) => acceptedAt <= facts.now - facts.plan.bounds.postMs)
        .length,
      late: this.#late,
      unexplainedSynced: facts.unexplainedClaims,
      worst: facts.worstPosition / facts.limit,
      synced: facts.looks === 0 ? 0 : facts.syncedLooks / facts.looks,
    };
  }

  /** The program that causes what is heard here must not catch what goes wrong with hearing it. */
  #guarded(hear: () => void): void {
    try {
      hear();
    } catch (error) {
      this.#failure ??= error as Error;
    }
  }

  /** What the program says belongs to the story. */
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

  /** Records grow at the end of one file until there is another: the place of the last one is where to look first. */
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

  /** Of what was written of late, and would survive a power loss. */
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

  /** The first time of each; what follows from it says no more. */
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
