import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  addHoldoutEvent,
  demandOwnSeal,
  demandUnsealed,
  type HoldoutEvent,
  Holdouts,
  readHoldouts,
} from '../../src/backtest/holdouts.js';
import { appendLedger, readLedger } from '../../src/backtest/ledger-file.js';
import { nodeFiles as files } from '../../src/platform/files.js';

let folder = '';
beforeEach(async () => {
  folder = await files.temporaryDirectory('tickwright-ledger-');
});
afterEach(() => rm(folder, { recursive: true }));

const PAIR = 'USD_BTC_PERP';
const sealed: HoldoutEvent = { event: 'sealed', pair: PAIR, from: 80, to: 100, strategy: 'a', runId: null };
const opened = (runId: string, from = 80, to = 100): HoldoutEvent => ({
  event: 'opened',
  pair: PAIR,
  from,
  to,
  strategy: 'b',
  runId,
});

describe('holdouts', () => {
  it('are sealed until a run looks at any part of them, and may be sealed again', () => {
    const within = { from: 90, to: 200 };
    expect(new Holdouts([]).sealedIn(PAIR, within)).toEqual([]);
    expect(new Holdouts([sealed]).sealedIn(PAIR, within)).toEqual([sealed]);
    expect(new Holdouts([sealed, opened('r1', 95, 96)]).sealedIn(PAIR, within)).toEqual([]);
    expect(new Holdouts([opened('r1'), sealed]).sealedIn(PAIR, within)).toEqual([sealed]);
    const later: HoldoutEvent = { ...sealed, from: 150, to: 180 };
    expect(new Holdouts([sealed, later]).sealedIn(PAIR, within)).toEqual([sealed, later]);
    expect(new Holdouts([sealed, opened('r1'), later]).sealedIn(PAIR, within)).toEqual([later]);
    // Who saw it before it was sealed, or around it, opened nothing.
    expect(new Holdouts([sealed, { ...opened('r1'), event: 'seen' }]).sealedIn(PAIR, within)).toEqual([
      sealed,
    ]);
  });

  it('are sealed no more by a search that took its seal back, and by others as before', () => {
    const mine: HoldoutEvent = { ...sealed, search: 's1' };
    const back: HoldoutEvent = { ...mine, event: 'released' };
    const others: HoldoutEvent = { ...sealed, search: 's2' };
    expect(new Holdouts([mine]).sealedIn(PAIR, sealed)).toEqual([mine]);
    expect(new Holdouts([mine, back]).sealedIn(PAIR, sealed)).toEqual([]);
    expect(new Holdouts([others, mine, back]).sealedIn(PAIR, sealed)).toEqual([others]);
    expect(new Holdouts([mine, others, back]).sealedIn(PAIR, sealed)).toEqual([others]);
    expect(new Holdouts([mine, sealed, back]).sealedIn(PAIR, sealed)).toEqual([sealed]);
    // Nobody has looked at it for all that.
    expect(new Holdouts([mine, back]).seenBy(PAIR, sealed)).toEqual([]);
  });

  it('that were sealed again and again are one', () => {
    const again: HoldoutEvent = { ...sealed, strategy: 'b' };
    expect(new Holdouts([sealed, again]).sealedIn(PAIR, sealed)).toEqual([sealed]);
  });

  it('are of their pair and of their time: ends do not touch', () => {
    const holdouts = new Holdouts([sealed]);
    expect(holdouts.sealedIn('USD_ETH_PERP', { from: 0, to: 200 })).toEqual([]);
    expect(holdouts.sealedIn(PAIR, { from: 0, to: 80 })).toEqual([]);
    expect(holdouts.sealedIn(PAIR, { from: 0, to: 81 })).toEqual([sealed]);
    expect(holdouts.sealedIn(PAIR, { from: 100, to: 200 })).toEqual([]);
    expect(holdouts.sealedIn(PAIR, { from: 99, to: 200 })).toEqual([sealed]);
  });

  it('tell who looked: each run once, each search, the first one first', () => {
    const search: HoldoutEvent = { ...opened('x', 0, 90), event: 'seen', runId: null };
    const run: HoldoutEvent = { ...opened('r4', 0, 90), event: 'seen' };
    const holdouts = new Holdouts([
      search,
      sealed,
      opened('r1'),
      opened('r2', 10, 20),
      run,
      opened('r3'),
      opened('r1', 85, 90),
      search,
    ]);
    const stretch = { from: 85, to: 95 };
    expect(holdouts.openedBy(PAIR, stretch).map(({ runId }) => runId)).toEqual(['r1', 'r3']);
    expect(holdouts.seenBy(PAIR, stretch).map(({ runId }) => runId)).toEqual([null, 'r1', 'r4', 'r3', null]);
  });

  it('that are to stay are kept from searches of other strategies and stretches, and not from their own', () => {
    const day = (time: number) => `day ${time}`;
    const mine = { pair: PAIR, strategy: 'a', from: 80, to: 100 };
    const larger = { ...mine, from: 70 };
    const another = { ...mine, strategy: 'b' };
    const holdouts = new Holdouts([sealed]);
    expect(holdouts.sealedByOthers(mine)).toEqual([]);
    expect(holdouts.sealedByOthers(larger)).toEqual([sealed]);
    expect(holdouts.sealedByOthers(another)).toEqual([sealed]);
    expect(holdouts.sealedByOthers({ ...another, from: 0, to: 80 })).toEqual([]);
    expect(holdouts.sealedByOthers({ ...another, pair: 'USD_ETH_PERP' })).toEqual([]);
    expect(new Holdouts([sealed, opened('r1')]).sealedByOthers(another)).toEqual([]);
    // Whoever else sealed the same keeps it from the first one, too.
    const theirs: HoldoutEvent = { ...sealed, strategy: 'b' };
    expect(new Holdouts([sealed, theirs]).sealedByOthers(mine)).toEqual([theirs]);
    // A search that was killed has left it to whoever comes.
    expect(new Holdouts([{ ...sealed, search: 's1' }]).sealedByOthers(another)).toEqual([]);
    expect(() => demandOwnSeal(holdouts, mine, day)).not.toThrow();
    expect(() => demandOwnSeal(holdouts, larger, day)).toThrow(
      'the holdout from day 70 to day 100 must not reach into that of USD_BTC_PERP from day 80 to day 100, which optimize --keep-sealed sealed for a: end it there (--to day 80), keep it sealed as well (--keep-sealed), or',
    );
  });

  it('are opened by a run as it begins, which is told once, by its id when it is over', () => {
    const begun: HoldoutEvent = { ...opened('r1'), runId: null, look: 'l1' };
    const over: HoldoutEvent = { ...begun, runId: 'r1' };
    expect(new Holdouts([sealed, begun]).sealedIn(PAIR, sealed)).toEqual([]);
    expect(new Holdouts([sealed, begun]).openedBy(PAIR, sealed)).toEqual([begun]);
    expect(new Holdouts([sealed, begun, over]).openedBy(PAIR, sealed)).toEqual([over]);
    // One that came to no end is not another one that did.
    const another: HoldoutEvent = { ...over, look: 'l2', runId: 'r2' };
    expect(new Holdouts([begun, another]).openedBy(PAIR, sealed)).toEqual([begun, another]);
    const beside: HoldoutEvent = { ...over, strategy: 'c' };
    expect(new Holdouts([begun, beside]).openedBy(PAIR, sealed)).toEqual([begun, beside]);
    const sealedAnew: HoldoutEvent = { ...sealed, from: 70 };
    expect(new Holdouts([sealed, begun, sealedAnew, over]).seenBy(PAIR, sealed)).toEqual([over]);
  });

  it('keep others out, and say how far they may go', () => {
    const day = (time: number) => `day ${time}`;
    const holdouts = new Holdouts([sealed]);
    expect(() => demandUnsealed(holdouts, PAIR, { from: 0, to: 80 }, day)).not.toThrow();
    expect(() => demandUnsealed(holdouts, PAIR, { from: 0, to: 90 }, day)).toThrow(
      'must not reach into the holdout of USD_BTC_PERP from day 80 to day 100, which optimize sealed for a: end it there (--to day 80), or',
    );
    // A search that will open it, or was killed before it could take the seal back.
    const searching = new Holdouts([{ ...sealed, search: 's1' }]);
    expect(() => demandUnsealed(searching, PAIR, { from: 0, to: 90 }, day)).toThrow(
      'end it there (--to day 80), let that search come to its end, or run it again if it was killed, or look at it once and for all (backtest --open-holdout)',
    );
  });

  it('are kept in a file beside the runs, where a torn line is passed over and nothing is lost', async () => {
    const runs = join(folder, 'runs');
    expect((await readHoldouts(files, runs)).sealedIn(PAIR, sealed)).toEqual([]);
    await addHoldoutEvent(files, runs, sealed);
    await files.writeAtomic(
      join(runs, 'holdouts.ndjson'),
      `${await files.readText(join(runs, 'holdouts.ndjson'))}{"event":"ope`,
    );
    await addHoldoutEvent(files, runs, opened('r1'));
    const holdouts = await readHoldouts(files, runs);
    expect(holdouts.sealedIn(PAIR, sealed)).toEqual([]);
    expect(holdouts.openedBy(PAIR, sealed)).toEqual([opened('r1')]);
  });
});

describe('a ledger', () => {
  it('is what was appended, in order; what is no document of its own is somebody else to judge', async () => {
    const path = join(folder, 'a', 'b.ndjson');
    expect(await readLedger(files, path)).toEqual([]);
    await appendLedger(files, path, []);
    expect(await files.stat(path)).toBeUndefined();
    await appendLedger(files, path, [{ n: 1 }, { n: 2 }]);
    await appendLedger(files, path, [{ n: 3 }]);
    expect(await readLedger(files, path)).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
    expect(await files.readText(path)).toBe('{"n":1}\n{"n":2}\n{"n":3}\n');
  });
});
