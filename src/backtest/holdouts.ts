/**
 * Stretches of recordings that are reserved for a final test. A choice made with all of a recording in view says nothing
 * about the future; a part that nobody has looked at does, once. So each look at it is recorded for good, beside the
 * runs.
 */
import { join } from 'node:path';
import { UsageError } from '../model/errors.js';
import type { Files } from '../ports/files.js';
import { appendLedger, readLedger } from './ledger-file.js';
import type { Stretch } from './search/stretches.js';

/** An event about a stretch of a pair's recordings, in whatever folder they lie. */
export interface HoldoutEvent extends Stretch {
  /**
   * - `sealed`: nothing may look at it from now on
   * - `released`: the search that sealed it ended without looking, and takes its seal back
   * - `opened`: a run looked at what was sealed, so that it is a holdout no more; written before it looks, since one that
   *   comes to no end may have told what it saw all the same, and once more when it is over, with its id
   * - `seen`: a search, a run or a lookahead looked at it, sealed or not: it may be sealed yet, but never again be unseen;
   *   written when `opened` is
   */
  readonly event: 'sealed' | 'released' | 'opened' | 'seen';
  readonly pair: string;
  readonly strategy: string;
  /** The run that looked; `null` for a search, for a run that has not finished, and for a seal. */
  readonly runId: string | null;
  /** The search that a seal, its opening or its release belongs to; absent: the seal is permanent. */
  readonly search?: string;
  /** Connects the events before and after a run's look; absent for a search. */
  readonly look?: string;
}

const LEDGER = 'holdouts.ndjson';

export class Holdouts {
  /** In the order in which they happened. */
  readonly #events: readonly HoldoutEvent[];
  /** The ends of looks, so that a long ledger need not be searched for each of them. */
  readonly #ends = new Map<string, HoldoutEvent[]>();

  constructor(events: readonly HoldoutEvent[]) {
    this.#events = events;
    for (const event of events) {
      const { look, runId } = event;
      if (look !== undefined && runId !== null)
        this.#ends.set(look, [...(this.#ends.get(look) ?? []), event]);
    }
  }

  /** The sealed stretches that overlap this one and that no run has looked at since, each once. */
  sealedIn(pair: string, stretch: Stretch): readonly HoldoutEvent[] {
    return eachOnce(this.#sealsIn(pair, stretch));
  }

  /** Permanent seals among them that belong to another strategy or another stretch. */
  sealedByOthers(own: Pick<HoldoutEvent, 'pair' | 'strategy' | 'from' | 'to'>): readonly HoldoutEvent[] {
    const seals = this.#sealsIn(own.pair, own).filter(({ search }) => search === undefined);
    return eachOnce(
      seals.filter(
        ({ strategy, from, to }) => strategy !== own.strategy || from !== own.from || to !== own.to,
      ),
    );
  }

  #sealsIn(pair: string, stretch: Stretch): readonly HoldoutEvent[] {
    return this.#events.filter(
      (event, at) =>
        event.event === 'sealed' &&
        touches(event, pair, stretch) &&
        !this.#events.slice(at).some((later) => ends(later, event)),
    );
  }

  /** Runs that opened a sealed part of this stretch, each once, in order. */
  openedBy(pair: string, stretch: Stretch): readonly HoldoutEvent[] {
    return this.#lookers(pair, stretch, ['opened']);
  }

  /** Searches and runs that looked at a part of this stretch, sealed or not, each run and each look without one once, in order. */
  seenBy(pair: string, stretch: Stretch): readonly HoldoutEvent[] {
    return this.#lookers(pair, stretch, ['opened', 'seen']);
  }

  #lookers(pair: string, stretch: Stretch, kinds: readonly HoldoutEvent['event'][]): readonly HoldoutEvent[] {
    const runs = new Set<string>();
    return this.#events.filter((event) => {
      if (!kinds.includes(event.event) || !touches(event, pair, stretch)) return false;
      const { runId, look, strategy } = event;
      if (look !== undefined && this.#ends.get(look)?.some((end) => completes(end, event))) return false;
      if (runId === null && look === undefined) return true;
      const key = runId ?? `${look} ${strategy}`;
      const isNew = !runs.has(key);
      runs.add(key);
      return isNew;
    });
  }
}

/** Each stretch. */
function eachOnce(seals: readonly HoldoutEvent[]): readonly HoldoutEvent[] {
  return seals.filter(
    ({ from, to }, at) => at === seals.findIndex((each) => each.from === from && each.to === to),
  );
}

function ends(later: HoldoutEvent, sealed: HoldoutEvent): boolean {
  if (later.event === 'released') return later.search !== undefined && later.search === sealed.search;
  return later.event === 'opened' && touches(later, sealed.pair, sealed);
}

/** Whether the later event reports the end of the run that began to look. */
function completes(later: HoldoutEvent, begun: HoldoutEvent): boolean {
  return (
    begun.look !== undefined &&
    begun.runId === null &&
    later.runId !== null &&
    later.look === begun.look &&
    later.strategy === begun.strategy &&
    touches(later, begun.pair, begun)
  );
}

function touches(event: HoldoutEvent, pair: string, { from, to }: Stretch): boolean {
  return event.pair === pair && event.from < to && event.to > from;
}

export async function readHoldouts(files: Files, registry: string): Promise<Holdouts> {
  return new Holdouts((await readLedger(files, join(registry, LEDGER))).filter(isEvent));
}

/** @throws the error that prevents writing: the stretch must not be looked at before the event is on the disk */
export async function addHoldoutEvent(files: Files, registry: string, event: HoldoutEvent): Promise<void> {
  await appendLedger(files, join(registry, LEDGER), [event]);
}

/** @throws UsageError where the stretch reaches into a holdout that is sealed */
export function demandUnsealed(
  holdouts: Holdouts,
  pair: string,
  stretch: Stretch,
  dayText: (time: number) => string,
): void {
  const [sealed] = holdouts.sealedIn(pair, stretch);
  if (sealed === undefined) return;
  throw new UsageError(
    'TICKWRIGHT_E_HOLDOUT',
    `the stretch must not reach into the holdout of ${pair} from ${dayText(sealed.from)} to ${dayText(sealed.to)}, which optimize sealed for ${sealed.strategy}: ` +
      `end it there (--to ${dayText(sealed.from)}), ` +
      (sealed.search === undefined
        ? ''
        : 'let that search come to its end, or run it again if it was killed, ') +
      'or look at it once and for all (backtest --open-holdout)',
  );
}

/** @throws UsageError where the holdout that a search is to open reaches into one that is kept for others */
export function demandOwnSeal(
  holdouts: Holdouts,
  own: Pick<HoldoutEvent, 'pair' | 'strategy' | 'from' | 'to'>,
  dayText: (time: number) => string,
): void {
  const [sealed] = holdouts.sealedByOthers(own);
  if (sealed === undefined) return;
  throw new UsageError(
    'TICKWRIGHT_E_HOLDOUT',
    `the holdout from ${dayText(own.from)} to ${dayText(own.to)} must not reach into that of ${own.pair} from ${dayText(sealed.from)} to ${dayText(sealed.to)}, ` +
      `which optimize --keep-sealed sealed for ${sealed.strategy}: end it there (--to ${dayText(sealed.from)}), ` +
      'keep it sealed as well (--keep-sealed), or look at both once and for all (--open-holdout)',
  );
}

function isEvent(document: unknown): document is HoldoutEvent {
  const { event, pair, from, to } = (document ?? {}) as Partial<HoldoutEvent>;
  return (
    (event === 'sealed' || event === 'released' || event === 'opened' || event === 'seen') &&
    typeof pair === 'string' &&
    typeof from === 'number' &&
    typeof to === 'number'
  );
}
