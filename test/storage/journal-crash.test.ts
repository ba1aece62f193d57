import { describe, expect, it } from 'vitest';
import type { JournalRecord } from '../../src/model/journal-record.js';
import { seededRandom } from '../../src/model/random.js';
import { JournalFailed } from '../../src/ports/bot-journal.js';
import { sleep } from '../../src/ports/clock.js';
import { encodeJournalRecord } from '../../src/storage/journal/journal-encoder.js';
import { journalFolder } from '../../src/storage/journal/journal-layout.js';
import { entryAt, readJournal, walkJournal } from '../../src/storage/journal/journal-reader.js';
import { verifyJournal } from '../../src/storage/journal/journal-report.js';
import { JournalWriter } from '../../src/storage/journal/journal-writer.js';
import type { Death, Life } from '../../src/simulation/world/life.js';
import type { VirtualDisk } from '../../src/simulation/world/virtual-disk.js';
import type { VenueWorld } from '../../src/simulation/world/venue-world.js';
import { world } from '../simulation/world/desk.js';

const DIRECTORY = '/bot/journal';
const RECORDS_A_LIFE = 30;
const DURABILITIES = ['durable', 'lazy', 'soon'] as const;

/** What lives on one disk wrote, and what of it was acknowledged as durable. */
class Ledger {
  readonly #attempted = new Map<number, Set<string>>();
  readonly #acknowledged = new Map<number, string>();
  #waiting: (readonly [sequence: number, text: string])[] = [];

  attempt(sequence: number, record: JournalRecord): void {
    const text = encodeJournalRecord(record);
    const texts = this.#attempted.get(sequence) ?? new Set();
    this.#attempted.set(sequence, texts.add(text));
    this.#waiting.push([sequence, text]);
  }

  acknowledge(): void {
    for (const [sequence, text] of this.#waiting) this.#acknowledged.set(sequence, text);
    this.#waiting = [];
  }

  /** What a life had not brought to the disk may be there or not. */
  forget(): void {
    this.#waiting = [];
  }

  get acknowledged(): number {
    return this.#acknowledged.size;
  }

  /** What of a whole journal contradicts it, in words. */
  contradictions(found: ReadonlyMap<number, string>): readonly string[] {
    const wrong: string[] = [];
    for (const [sequence, text] of this.#acknowledged) {
      if (found.get(sequence) !== text) wrong.push(`${sequence} was ${text}, is ${found.get(sequence)}`);
    }
    for (const [sequence, text] of found) {
      const own = this.#attempted.get(sequence)?.has(text) === true;
      if (!own && !text.includes('cut a torn tail')) wrong.push(`${sequence} was never ${text}`);
    }
    return wrong;
  }
}

const openIn = (life: Life, keepMs?: number) =>
  JournalWriter.open({
    directory: DIRECTORY,
    files: life.files,
    timers: life.timers,
    clock: life.clock,
    segmentBytes: 700,
    ballastBytes: 100,
    ...(keepMs === undefined ? {} : { keepMs }),
  });

/** A life of a bot: records of all kinds of durability over some segments and snapshots. */
async function live(life: Life, ledger: Ledger, keepMs?: number): Promise<void> {
  const { journal } = await openIn(life, keepMs);
  for (let index = 0; index < RECORDS_A_LIFE; index++) {
    const record: JournalRecord = { kind: 'note', text: `${life.name} ${index}`, wall: index };
    const durability = DURABILITIES[index % DURABILITIES.length] as (typeof DURABILITIES)[number];
    ledger.attempt(journal.sequence + 1, record);
    journal.append(record, durability);
    if (durability === 'durable') ledger.acknowledge();
    if (index % 10 === 9) await journal.snapshot({ through: journal.sequence });
    if (index % 7 === 6) await sleep(life.timers, 120);
  }
  await journal.close();
  ledger.acknowledge();
}

/** Runs it until it is done, has failed, or is dead. */
async function run(at: VenueWorld, life: Life, work: (life: Life) => Promise<void>): Promise<void> {
  let failed: unknown;
  let done = false;
  work(life).then(
    () => (done = true),
    (error: unknown) => {
      done = true;
      if (life.isAlive && !(error instanceof JournalFailed)) failed = error;
    },
  );
  await at.scheduler.runUntilDone(() => done || !life.isAlive, at.scheduler.now + 60_000);
  if (failed !== undefined) throw failed as Error;
}

async function contradictions(at: VenueWorld, disk: VirtualDisk, ledger: Ledger): Promise<readonly string[]> {
  let wrong: readonly string[] | undefined;
  await run(at, at.boot({ name: 'reader', disk }), async ({ files }) => {
    const found = new Map<number, string>();
    for await (const contents of walkJournal(files, await journalFolder(files, DIRECTORY))) {
      if (contents.damages.length > 0) throw new Error(JSON.stringify(contents.damages));
      for (const line of contents.lines) {
        found.set(line.sequence, encodeJournalRecord(entryAt(contents, line).record));
      }
    }
    const { snapshot, nextSequence } = await readJournal(files, DIRECTORY);
    wrong = ledger.contradictions(found);
    if (snapshot !== undefined && (snapshot.state as { through: number }).through !== snapshot.sequence) {
      wrong = [...wrong, `the snapshot of ${snapshot.sequence} holds ${JSON.stringify(snapshot.state)}`];
    }
    if (found.size !== nextSequence - 1)
      wrong = [...wrong, `${found.size} records, the next is ${nextSequence}`];
  });
  if (wrong === undefined) throw new Error('the journal must be readable');
  return wrong;
}

async function pointsOfALife(): Promise<number> {
  const at = world();
  const life = at.boot({ name: 'whole', disk: at.disk('machine') });
  const ledger = new Ledger();
  await run(at, life, (own) => live(own, ledger));
  expect(ledger.acknowledged).toBe(RECORDS_A_LIFE);
  return life.points;
}

describe('a journal whose process dies', () => {
  it.each<Death>([
    'kill',
    'power',
  ])('by %s at any of its file calls keeps every record that was acknowledged', async (death) => {
    const points = await pointsOfALife();
    expect(points).toBeGreaterThan(100);
    for (let point = 1; point <= points; point++) {
      const at = world({ seed: point });
      const disk = at.disk('machine');
      const ledger = new Ledger();
      const first = at.boot({ name: 'first', disk });
      first.crashAt(point, death);
      await run(at, first, (life) => live(life, ledger));
      ledger.forget();
      expect(first.isAlive).toBe(false);
      const second = at.boot({ name: 'second', disk });
      // And somewhere on its way up again.
      second.crashAt(1 + (point % 40), death);
      await run(at, second, (life) => live(life, ledger));
      ledger.forget();
      await run(at, at.boot({ name: 'third', disk }), (life) => live(life, ledger));
      expect(ledger.acknowledged, `death at point ${point}`).toBeGreaterThanOrEqual(RECORDS_A_LIFE);
      expect(await contradictions(at, disk, ledger), `death at point ${point}`).toEqual([]);
    }
  });

  it('while old segments are let go of is readable, and is no damage to verify', async () => {
    const random = seededRandom('retention');
    for (let round = 0; round < 40; round++) {
      const at = world({ seed: `retention ${round}` });
      const disk = at.disk('machine');
      for (let life = 1; life <= 4; life++) {
        const each = at.boot({ name: `life ${life}`, disk });
        each.crashAt(random.integer(1, 200), 'power');
        await run(at, each, (own) => live(own, new Ledger(), -1));
      }
      let damages: unknown;
      await run(at, at.boot({ name: 'reader', disk }), async (life) => {
        const { contents } = await openIn(life);
        const { snapshot, nextSequence } = await readJournal(life.files, DIRECTORY);
        expect(nextSequence).toBeGreaterThanOrEqual(contents.nextSequence);
        expect(snapshot).toEqual(contents.snapshot);
        ({ damages } = await verifyJournal(life.files, DIRECTORY));
      });
      expect(damages, `round ${round}`).toEqual([]);
    }
  });
});

describe('a journal whose sync fails', () => {
  it('keeps what was acknowledged before and after, though the kernel shows pages that it has lost', async () => {
    for (let nth = 1; nth <= 14; nth++) {
      const at = world({ seed: nth });
      const disk = at.disk('machine');
      const ledger = new Ledger();
      disk.failNext('sync', { nth, path: 'segment' });
      await run(at, at.boot({ name: 'first', disk }), (life) => live(life, ledger));
      ledger.forget();
      expect(disk.counts.get('EIO'), `sync ${nth}`).toBe(1);
      // The process is started again on the same kernel, goes on for a whole life, and then the power goes.
      await run(at, at.boot({ name: 'second', disk }), (life) => live(life, ledger));
      disk.losePower();
      expect(await contradictions(at, disk, ledger), `sync ${nth}`).toEqual([]);
    }
  });
});
