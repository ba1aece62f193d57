/** One bot, one journal and one venue, and many lives. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT } from '../../../src/cli/exit-code.js';
import type { JournalRecord } from '../../../src/model/journal-record.js';
import { type Random, seededRandom } from '../../../src/model/random.js';
import { systemTimers } from '../../../src/platform/timers.js';
import { sleep } from '../../../src/ports/clock.js';
import { auditOrders, underWay } from './audit.js';
import { type Child, startNode } from './child.js';
import { JournalTail } from './journal-tail.js';
import { LifeStory } from './life-story.js';
import type { KillOptions, KillResult } from './result.js';
import { KEY, SECRET, SYNCED_BOUND_MS, writeConfig } from './scene.js';
import { namedAllThatIsLeft, saidToBeLeft, wrongBooks } from './stop-audit.js';
import { Truth } from './truth.js';

const LOOK_MS = 10;
/** Share of the kills that strike a process while it starts, and how long after its first instruction they may, ms. */
const BOOT_SHARE = 0.3;
const BOOT_MS = 2_500;
const MEAN_LIFE_MS = 1_800;
const LEAST_LIFE_MS = 20;
/** So often the bot is stopped in order, and its books are held against the venue's. */
const STOP_EVERY = 20;
const STOP_MS = 60_000;
/** Orders that changed so long before the last look are looked at once more, ms. */
const OVERLAP_MS = 10_000;
/** The venue refuses one read in sixty-six: one start in some hundreds ends with that, as a supervisor expects it. */
const REFUSED = /^error: the venue at \S+?(?: does not answer)?: /m;
const MOST_REFUSED = 3;

/** An order in doubt may still come, and what it does shows a little later than that. */
const LOOKS = 5;
const BETWEEN_LOOKS_MS = 500;
/** One of these must be proven: behind the last one there is no next start that could prove it. */
const LAST_STOPS = 5;

/** With so many it is known that something is wrong. */
const MOST_PROBLEMS = 20;

export class KillRun {
  readonly #options: KillOptions;
  readonly #random: Random;
  readonly #truth: Truth;
  readonly #tail: JournalTail;
  readonly #config: string;
  readonly #problems: string[] = [];
  readonly #syncedMs: number[] = [];
  #bot: Child | undefined;
  #life = new LifeStory();
  #lookedAt: number | undefined;
  #counts = {
    kills: 0,
    killsBeforeSynced: 0,
    killsUnderWay: 0,
    refusedStarts: 0,
    orderlyStops: 0,
    unprovenStops: 0,
    provenEnds: 0,
    lostRecords: 0,
    notSynced: 0,
    wrongEnds: 0,
    secrets: 0,
    fills: 0,
  };

  constructor(options: KillOptions, url: string) {
    this.#options = options;
    this.#random = seededRandom(`kills/${options.seed}`);
    this.#truth = new Truth(url);
    this.#tail = new JournalTail(join(options.folder, 'bot', 'journal'));
    this.#config = writeConfig(options.folder, url);
  }

  async run(): Promise<void> {
    const { kills, isOver = () => false, onKill } = this.#options;
    while (this.#counts.kills < kills && !isOver()) {
      const started = this.#start();
      const atBoot = this.#random.next() < BOOT_SHARE;
      // What dies before it is SYNCED proves nothing about how soon that is.
      const synced = atBoot
        ? await this.#bootFor(this.#random.next() * BOOT_MS)
        : await this.#synced(started);
      if (synced) {
        await this.#auditOrders();
        await this.#live(LEAST_LIFE_MS + this.#random.exponential() * MEAN_LIFE_MS);
      }
      if (!atBoot && this.#counts.kills % STOP_EVERY === STOP_EVERY - 1) await this.#stopInOrder();
      else await this.#kill();
      if (this.#problems.length > MOST_PROBLEMS) return;
      onKill?.(this.#counts.kills);
    }
    await this.#endInOrder();
    await this.#truth.look();
    this.#judgeOrders(() => true);
  }

  async close(): Promise<void> {
    this.#bot?.kill('SIGKILL');
    await this.#bot?.ended;
    await this.#truth.close();
    if (this.#problems.length === 0) rmSync(this.#options.folder, { recursive: true, force: true });
  }

  result(faults: number): KillResult {
    const { records } = this.#tail;
    const count = (is: (record: JournalRecord) => boolean) => records.filter(is).length;
    const audit = auditOrders(records, this.#truth.tags, () => true);
    return {
      seed: this.#options.seed,
      ...this.#counts,
      records: records.length,
      intents: count(({ kind }) => kind === 'prep'),
      orders: this.#truth.tags.size,
      doubts: count((record) => record.kind === 'out' && record.outcome === 'in-doubt'),
      adopted: count(({ kind }) => kind === 'adopt'),
      notPlaced: count((record) => record.kind === 'verdict' && record.verdict === 'not-placed'),
      faults,
      syncedMs: this.#syncedMs.map(Math.round).sort((a, b) => a - b),
      duplicates: audit.duplicated.length,
      unprepared: audit.unprepared.length,
      unknown: audit.unknown.length,
      phantom: audit.phantom.length,
      misjudged: audit.misjudged.length,
      problems: this.#problems,
    };
  }

  /** Returns when, monotonic ms. */
  #start(): number {
    const { program, folder, seed } = this.#options;
    const more = ['--warm-up', '1s', '--seed', String(seed + this.#counts.kills), '--json'];
    this.#bot = startNode(
      [program, 'run', '--live', '--config', this.#config, '--journal', join(folder, 'bot'), ...more],
      {
        cwd: folder,
        env: { TICKWRIGHT_VENUE__API_KEY: KEY, TICKWRIGHT_VENUE__API_SECRET: SECRET },
      },
    );
    this.#life = new LifeStory();
    return performance.now();
  }

  /** Waits until this process has written that the pair is SYNCED; false when it does not in time. */
  async #synced(started: number): Promise<boolean> {
    const { syncedWithinMs = SYNCED_BOUND_MS } = this.#options;
    let since = started;
    let refused = 0;
    while (performance.now() - since < syncedWithinMs) {
      this.#read();
      if (this.#life.wasSynced) {
        this.#syncedMs.push(performance.now() - since);
        return true;
      }
      if (this.#bot?.hasEnded === true) {
        if (!(await this.#wasRefused()) || ++refused > MOST_REFUSED) break;
        since = this.#start();
      }
      await sleep(systemTimers, LOOK_MS);
    }
    this.#counts.notSynced++;
    const last = this.#tail.records.findLast(({ kind }) => kind === 'state');
    const state = last?.kind === 'state' ? `${last.state}: ${last.reason}` : 'no state at all';
    this.#problem(
      `not SYNCED within ${syncedWithinMs} ms of its start, but ${state}; stderr: ${this.#bot?.stderr.slice(-600)}`,
    );
    return false;
  }

  /** The process has ended because the venue refused what a start must read: the next one may be luckier. */
  async #wasRefused(): Promise<boolean> {
    const bot = this.#bot;
    if (bot === undefined) return false;
    const { code } = await bot.ended;
    this.#read();
    const isRefused =
      (code === EXIT.failure || code === EXIT.venueUnreachable) &&
      !this.#life.wasSynced &&
      REFUSED.test(bot.stderr);
    if (isRefused) this.#counts.refusedStarts++;
    return isRefused;
  }

  /** False: it dies now, SYNCED or not. */
  async #bootFor(ms: number): Promise<boolean> {
    await sleep(systemTimers, ms);
    return false;
  }

  #read(): void {
    this.#life.read(this.#tail.read());
  }

  async #live(ms: number): Promise<void> {
    const until = performance.now() + ms;
    while (performance.now() < until && this.#bot?.hasEnded === false) {
      await sleep(systemTimers, Math.min(LOOK_MS, Math.max(0, until - performance.now())));
      this.#read();
    }
  }

  async #kill(): Promise<void> {
    const bot = this.#bot;
    if (bot === undefined) return;
    if (bot.hasEnded && !(await this.#wasRefused())) {
      const { code, signal } = await bot.ended;
      this.#problem(`ended by itself with ${code ?? signal}: ${bot.stderr.slice(-600)}`);
    }
    // What is there to be read is acknowledged: it must be there for ever.
    this.#read();
    bot.kill('SIGKILL');
    await bot.ended;
    this.#read();
    this.#counts.kills++;
    if (!this.#life.wasSynced) this.#counts.killsBeforeSynced++;
    if (underWay(this.#tail.records).length > 0) this.#counts.killsUnderWay++;
    this.#look(bot);
  }

  /** What every end of a process is followed by. */
  #look(bot: Child): void {
    const lost = this.#tail.lost();
    this.#counts.lostRecords += lost;
    if (lost > 0) this.#problem(`${lost} records are gone or changed`);
    const texts = [bot.stdout, bot.stderr];
    if (texts.some((text) => text.includes(KEY) || text.includes(SECRET))) {
      this.#counts.secrets++;
      this.#problem('the key or the secret was printed');
    }
  }

  async #endInOrder(): Promise<void> {
    for (let left = LAST_STOPS; left > 0; left--) {
      await this.#synced(this.#start());
      const end = await this.#stopInOrder();
      if (end === 'unproven') continue;
      if (end === 'proven') this.#counts.provenEnds++;
      return;
    }
    this.#counts.wrongEnds++;
    this.#problem(`none of ${LAST_STOPS} last stops was proven`);
  }

  /** `unproven`: by its own word, and all is right apart from the orders it names, or counted. */
  async #stopInOrder(): Promise<'proven' | 'unproven' | 'wrong'> {
    const bot = this.#bot;
    if (bot === undefined) return 'wrong';
    bot.kill('SIGINT');
    const { code } = await Promise.race([
      bot.ended,
      sleep(systemTimers, STOP_MS).then(() => ({ code: undefined })),
    ]);
    bot.kill('SIGKILL');
    await bot.ended;
    this.#read();
    this.#look(bot);
    this.#counts.orderlyStops++;
    const said = saidToBeLeft(bot.stderr);
    const isUnproven = code === EXIT.stopNotProven && namedAllThatIsLeft(this.#tail.records, said);
    const wrong = isUnproven ? await this.#wrongBesides(said) : await this.#wrongEnd(code);
    if (isUnproven) this.#counts.unprovenStops++;
    if (wrong.length > 0) {
      this.#counts.wrongEnds++;
      this.#problem(`after an orderly stop: ${wrong.join('; ')}; stderr: ${bot.stderr.slice(-600)}`);
    }
    if (isUnproven) return 'unproven';
    return wrong.length === 0 ? 'proven' : 'wrong';
  }

  async #wrongEnd(code: number | null | undefined): Promise<readonly string[]> {
    const exit = code === EXIT.interrupted ? [] : [`exit code ${code ?? 'none: it did not end'}`];
    return [...exit, ...(await this.#wrongBooks(new Set()))];
  }

  /** What is wrong apart from the orders that the program names, by intent or by the venue's id. */
  async #wrongBesides(said: ReadonlySet<string>): Promise<readonly string[]> {
    for (let looks = 1; ; looks++) {
      const wrong = await this.#wrongBooks(said);
      if (wrong.length === 0 || looks === LOOKS) return wrong;
      await sleep(systemTimers, BETWEEN_LOOKS_MS);
    }
  }

  async #wrongBooks(left: ReadonlySet<string>): Promise<readonly string[]> {
    const books = await this.#truth.books();
    this.#counts.fills = books.fills.length;
    return wrongBooks(this.#tail.records, books, left);
  }

  /** SYNCED says that everything about earlier lives is known. */
  async #auditOrders(): Promise<void> {
    const now = Date.now();
    await this.#truth.look(this.#lookedAt);
    this.#lookedAt = now - OVERLAP_MS;
    this.#read();
    const { session } = this.#life;
    this.#judgeOrders((intent) => !intent.startsWith(`${session}-`));
  }

  #judgeOrders(isSettled: (intent: string) => boolean): void {
    const audit = auditOrders(this.#tail.records, this.#truth.tags, isSettled);
    for (const [what, found] of Object.entries(audit) as [string, readonly string[]][]) {
      for (const each of found) this.#problem(`${what}: ${each}`);
    }
  }

  #problem(what: string): void {
    const text = `kill ${this.#counts.kills}: ${what}`;
    if (!this.#problems.some((known) => known.endsWith(what))) this.#problems.push(text);
  }
}
