/** One session at a time, whatever is asked of it meanwhile, and in whatever order its promises settle. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { DaemonSession, EndOfSession, SessionStanding } from '../../src/daemon/daemon-session.js';
import { latch } from '../../src/daemon/latches.js';
import type { DaemonEntry } from '../../src/daemon/daemon-entry.js';
import { ManagedSession } from '../../src/daemon/managed-session.js';
import { UsageError } from '../../src/model/errors.js';
import type { Halt } from '../../src/model/halt-level.js';
import { SILENT } from '../../src/ports/log.js';
import type { EndOfOrders } from '../../src/runner/session-gateway.js';
import { StartAbandoned } from '../../src/runner/start-abandoned.js';
import { VirtualTime } from '../support/virtual-time.js';

const PAIR = 'USD_BTC_PERP';
/** Longer than each pause and each trial, ms. */
const LONG_MS = 120_000;
/** More turns of the queue of promises than any chain here has. */
const ALL = 40;
const NAMES = ['first', 'second', 'third'] as const;

type Name = (typeof NAMES)[number];
type Watch = Parameters<DaemonEntry['open']>[0];

function settlable<T>() {
  let resolve: (value: T) => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<T>((...both) => {
    [resolve, reject] = both;
  });
  promise.catch(() => undefined);
  return { promise, resolve, reject };
}

async function passed(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await Promise.resolve();
}

/** One start, and the session that it leads to. It is over when nothing of it can reach the venue any more. */
class Life {
  readonly name: Name;
  stage: 'connecting' | 'starting' | 'running' | 'stopping' | 'over' = 'connecting';
  isAbandoned = false;
  hasFailed = false;
  halts: readonly Halt[] = [];
  /** How often it was asked to stop. */
  stops = 0;
  session: DaemonSession | undefined;
  /** It is there only to cancel what a failed session left. */
  readonly isCleaner: boolean;
  readonly opened = settlable<DaemonSession>();
  readonly #failed = settlable<never>();
  readonly #stopped = settlable<EndOfSession>();
  readonly #world: World;
  readonly #watch: Watch;
  #state: SessionStanding['state'] = 'RECONCILING';

  constructor(name: Name, world: World, watch: Watch) {
    this.name = name;
    this.#world = world;
    this.#watch = watch;
    this.isCleaner = world.managed?.failure !== undefined;
  }

  /** An order that it leaves open at its end. */
  get order(): string {
    return `order ${this.#world.lives.indexOf(this)}`;
  }

  get isStart(): boolean {
    return this.stage === 'connecting' || this.stage === 'starting';
  }

  /** The start begins to ask the venue, or ends if it is to. */
  connect(): void {
    if (this.stage === 'connecting') {
      this.stage = 'starting';
      this.#watch.starting?.({
        standing: () => ({ state: this.#state, permission: 'cancel-only', reason: 'of the venue' }),
        openOrders: () => undefined,
        leftStops: () => undefined,
        abandon: () => {
          this.isAbandoned = true;
        },
      });
    } else if (this.stage === 'starting' && this.isAbandoned) {
      this.stage = 'over';
      const leftOpen = this.isCleaner ? [] : [this.order];
      this.#world.left = leftOpen;
      this.opened.reject(new StartAbandoned(PAIR, { leftOpen }));
    }
  }

  /** A start comes to wait for a person. */
  wait(): void {
    if (this.stage === 'starting') this.#state = 'QUARANTINED';
  }

  refuse(error: Error): void {
    if (!this.isStart) return;
    this.stage = 'over';
    this.opened.reject(error);
  }

  /** The start succeeds, also one that was abandoned too late. */
  open(): void {
    if (!this.isStart) return;
    this.stage = 'running';
    this.#world.left = [];
    const session: Partial<DaemonSession> = {
      failed: this.#failed.promise,
      halts: () => this.halts,
      halt: (level, reason, by) => {
        this.halts = [...this.halts, { level, reason, by }];
      },
      stop: () => {
        this.stops++;
        // An end asked for in the same turn as a replacement may ask again, and joins the first.
        if (this.stops > 1 && !this.#world.isEnding) this.#world.wrong.push('stopped twice');
        if (this.stage === 'running') this.stage = 'stopping';
        return this.#stopped.promise;
      },
    };
    this.session = session as DaemonSession;
    this.opened.resolve(this.session);
  }

  /** The strategy throws. */
  fail(): void {
    if (this.stage !== 'running' && this.stage !== 'stopping') return;
    this.hasFailed = true;
    this.#failed.reject(new Error(`${this.order} threw`));
  }

  endStop(error?: Error): void {
    if (this.stage !== 'stopping') return;
    this.stage = 'over';
    this.#world.left = error === undefined ? [this.order] : undefined;
    if (error === undefined)
      this.#stopped.resolve({ leftOpen: [this.order], keptStops: [], canceledStops: [] });
    else this.#stopped.reject(error);
  }
}

interface Command {
  readonly text: string;
  state: 'open' | 'done' | 'refused';
}

class World {
  readonly time = new VirtualTime();
  readonly lives: Life[] = [];
  readonly commands: Command[] = [];
  readonly told: string[] = [];
  readonly wrong: string[] = [];
  readonly became: DaemonEntry[] = [];
  readonly managed: ManagedSession;
  halts: readonly Halt[] = [];
  /** What the last session or start left open; `undefined`: its stop failed. */
  left: readonly string[] | undefined = [];
  /** The newest replacement that was not refused at once, and how many starts there had been. */
  newest: { readonly next: DaemonEntry; readonly lives: number; readonly command: Command } | undefined;
  isEnding = false;
  readonly #entries: readonly DaemonEntry[];

  constructor() {
    this.#entries = NAMES.map((name) => ({
      pair: PAIR,
      strategy: name,
      params: {},
      sha256: name,
      open: (watch) => this.#open(name, watch),
    }));
    this.managed = new ManagedSession({
      entry: this.#entry(0),
      watch: {},
      clock: this.time.clock,
      timers: this.time.timers,
      log: SILENT,
      scrub: (text) => text,
      halts: () => this.halts,
      onReplaced: (entry) => this.became.push(entry),
      onRunning: () => undefined,
      onFailed: (reason) => this.told.push(reason),
      onLeft: () => undefined,
    });
    this.became.push(this.managed.entry);
    const start = () => this.managed.start().catch((error: unknown) => this.managed.refused(error));
    this.#give('start', start());
  }

  /** The start was under way when the end or a replacement was asked for. */
  #isToEnd(life: Life): boolean {
    return life.isStart && (this.isEnding || this.lives.indexOf(life) < (this.newest?.lives ?? 0));
  }

  get #busy(): Life | undefined {
    return this.alive.find(({ stage }) => stage !== 'running');
  }

  get alive(): readonly Life[] {
    return this.lives.filter(({ stage }) => stage !== 'over');
  }

  replace(index: number | undefined): void {
    const next = index === undefined ? this.managed.entry : this.#entry(index);
    const { isReplaceable, entry } = this.managed;
    const lives = this.lives.length;
    const work = this.managed.replace(next);
    const command = this.#give(`replace by ${next.strategy}`, work);
    if (!isReplaceable) return;
    this.newest = { next, lives, command };
    work.catch(() => {
      const isBack = this.managed.entry !== next || next === entry || this.became.at(-2) === next;
      // Nothing runs in the place of a session that could not be stopped.
      if (!isBack && !this.isEnding && this.left !== undefined)
        this.wrong.push('a replacement that failed is what is to run');
    });
  }

  stop(orders: EndOfOrders): void {
    this.isEnding = true;
    const given = this.managed.stop(orders);
    this.#give('stop', given);
    const over = (left: readonly string[] | undefined) => {
      if (this.alive.length > 0) this.wrong.push('an end is over before the session is');
      if (this.left !== undefined && left !== undefined && String(left) !== String(this.left))
        this.wrong.push(`an end says ${left.join()}, but ${this.left.join()} is left`);
    };
    given.then(over, () => over(undefined));
  }

  /** As the daemon does it. */
  halt(): void {
    const halt: Halt = { level: 'pause', reason: `halt ${this.halts.length}`, by: 'a test' };
    this.halts = [...this.halts, halt];
    if (this.managed.isRunning && this.managed.session !== undefined) latch(this.managed.session, halt);
  }

  /** Nothing is asked any more, and the venue answers all that it was asked. */
  async calm(): Promise<void> {
    for (let starts = -1; starts < this.lives.length || this.#busy !== undefined; ) {
      await passed(ALL);
      for (let life = this.#busy; life !== undefined; life = this.#busy) {
        if (life.stage === 'connecting' || life.isAbandoned) life.connect();
        else if (this.#isToEnd(life) || (life.isCleaner && life.isStart))
          this.wrong.push('a start that is to end is not abandoned');
        else life.open();
        if (this.wrong.length > 0) return;
        life.endStop();
        await passed(ALL);
      }
      starts = this.lives.length;
      await this.time.advance(LONG_MS);
    }
    const open = this.commands.filter(({ state }) => state === 'open');
    if (open.length > 0) this.wrong.push(`never over: ${open.map(({ text }) => text).join()}`);
  }

  /** What must hold once it is calm. */
  look(): void {
    const { wrong, managed, newest } = this;
    const [life] = this.alive;
    if (this.isEnding) {
      if (life !== undefined) wrong.push('something runs after the end');
      return;
    }
    const { failure, isRunning, session, entry } = managed;
    if (life?.hasFailed === true) wrong.push('a session that failed is not stopped');
    if ((life !== undefined) !== isRunning) wrong.push(`it says it runs: ${isRunning}`);
    if (isRunning && session !== life?.session) wrong.push('another session is shown than runs');
    if (life !== undefined && life.name !== entry.strategy) wrong.push('another strategy is shown than runs');
    if (life !== undefined && life.halts.length < this.halts.length) wrong.push('it runs without a halt');
    if (life === undefined && failure === undefined) wrong.push('nothing runs, and nothing says why');
    if (failure?.endsWith('threw') === true && this.left !== undefined && this.left.length > 0)
      wrong.push('nobody cancels what a strategy left that threw');
    if (failure !== undefined && !this.told.some((each) => each === failure))
      wrong.push(`${failure}: that is told to nobody`);
    if (newest === undefined || newest.command.state !== 'done') return;
    const hasFailed = this.lives.slice(newest.lives).some((each) => each.hasFailed);
    if (!hasFailed && entry !== newest.next) wrong.push('what was put in its place does not run');
  }

  #entry(index: number): DaemonEntry {
    return this.#entries[index] as DaemonEntry;
  }

  #open(name: Name, watch: Watch): Promise<DaemonSession> {
    if (this.alive.length > 0) this.wrong.push('two at once');
    const life = new Life(name, this, watch);
    if (this.isEnding && !life.isCleaner) this.wrong.push('a start after the end');
    this.lives.push(life);
    return life.opened.promise;
  }

  #give(text: string, work: Promise<unknown>): Command {
    const command: Command = { text, state: 'open' };
    this.commands.push(command);
    work.then(
      () => void (command.state = 'done'),
      () => void (command.state = 'refused'),
    );
    return command;
  }
}

const USAGE = new UsageError('TICKWRIGHT_E_TEST', 'refused for good');

/** What a person, the venue or the strategy does, or ms that go by. */
const steps = {
  replace0: (world: World) => world.replace(0),
  replace1: (world: World) => world.replace(1),
  replace2: (world: World) => world.replace(2),
  renew: (world: World) => world.replace(undefined),
  halt: (world: World) => world.halt(),
  stop: (world: World) => world.stop('cancel'),
  leave: (world: World) => world.stop('leave'),
  connect: ({ alive }: World) => alive[0]?.connect(),
  wait: ({ alive }: World) => alive[0]?.wait(),
  open: ({ alive }: World) => alive[0]?.open(),
  refuse: ({ alive }: World) => alive[0]?.refuse(USAGE),
  miss: ({ alive }: World) => alive[0]?.refuse(new Error('no answer')),
  fail: ({ alive }: World) => alive[0]?.fail(),
  stopped: ({ alive }: World) => alive[0]?.endStop(),
  unstopped: ({ alive }: World) => alive[0]?.endStop(new Error('the journal is gone')),
  look: ({ time }: World) => time.advance(500),
  trial: ({ time }: World) => time.advance(2_000),
  minute: ({ time }: World) => time.advance(60_000),
} as const;

type Step = keyof typeof steps;

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom<Step>('replace0', 'replace1', 'replace2', 'renew') },
  { weight: 7, arbitrary: fc.constantFrom<Step>('connect', 'open', 'wait') },
  { weight: 5, arbitrary: fc.constantFrom<Step>('fail', 'stopped', 'look') },
  { weight: 3, arbitrary: fc.constantFrom<Step>('refuse', 'miss', 'trial') },
  { weight: 3, arbitrary: fc.constantFrom<Step>('halt', 'stop', 'leave', 'unstopped', 'minute') },
);

const RUNNING: readonly Step[] = ['open'];
const REPLACED: readonly Step[] = [...RUNNING, 'replace1', 'stopped'];
const TRIED: readonly Step[] = [...REPLACED, 'open', 'trial'];
const PUT_BACK: readonly Step[] = [...TRIED, 'fail', 'stopped'];

/** What has been before a story begins: chance alone comes that far too rarely. */
const before = fc.constantFrom<readonly Step[]>(
  [],
  RUNNING,
  [...RUNNING, 'fail'],
  REPLACED,
  [...REPLACED, 'connect', 'wait', 'look'],
  [...REPLACED, 'miss'],
  TRIED,
  PUT_BACK,
  [...PUT_BACK, 'connect'],
);

/** A step, and the turns of the queue of promises before the next one. */
type Told = readonly [Step, number];

const story = fc
  .tuple(before, fc.array(fc.tuple(step, fc.oneof(fc.constant(ALL), fc.nat({ max: 8 }))), { maxLength: 12 }))
  .map(([first, then]): readonly Told[] => [...calmly(first), ...then]);

function calmly(told: readonly Step[]): readonly Told[] {
  return told.map((each) => [each, ALL]);
}

/** What went wrong once. */
const KNOWN: readonly (readonly Told[])[] = [
  calmly([...PUT_BACK, 'connect', 'replace1', 'wait', 'look']),
  calmly([...REPLACED, 'connect', 'wait', 'stop', 'look']),
  [...calmly([...PUT_BACK, 'replace1']), ['open', 0], ['fail', ALL]],
  [...calmly([...REPLACED, 'miss']), ['open', 7], ['fail', ALL]],
];

async function play(told: readonly Told[]): Promise<readonly string[]> {
  const world = new World();
  for (const [name, turns] of told) {
    const work = steps[name](world);
    // An await takes a turn, too.
    if (work !== undefined) await work;
    for (let turn = 0; turn < turns; turn++) await Promise.resolve();
  }
  await world.calm();
  world.look();
  world.stop('cancel');
  await world.calm();
  world.look();
  return world.wrong;
}

it('keeps one session, answers each command, and leaves nothing behind at the end', async () => {
  await fc.assert(
    fc.asyncProperty(story, async (told) => {
      expect(await play(told)).toEqual([]);
    }),
    { numRuns: 3_000, examples: KNOWN.map((told): [readonly Told[]] => [told]) },
  );
});
