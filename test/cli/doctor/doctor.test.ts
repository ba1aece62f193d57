import { describe, expect, it } from 'vitest';
import { type Check, fail, Looks, ok } from '../../../src/cli/doctor/doctor-check.js';
import { loadChecks } from '../../../src/cli/doctor/doctor-config.js';
import { nodeCheck, timeSyncCheck, tlsCheck } from '../../../src/cli/doctor/doctor-machine.js';
import { stateChecks } from '../../../src/cli/doctor/doctor-state.js';
import {
  type ClockSample,
  clockCheck,
  marketChecks,
  signatureCheck,
} from '../../../src/cli/doctor/doctor-venue.js';
import type { Settings } from '../../../src/cli/settings/settings.js';
import { VenueUnavailable } from '../../../src/cli/report-error.js';
import { HttpFailure } from '../../../src/ports/http.js';
import { addToJournal } from '../../../src/cli/journal/write-journal.js';
import { thisMachine } from '../../../src/cli/machine.js';
import { checksText } from '../../../src/cli/view/checks-text.js';
import type { JournalRecord } from '../../../src/model/journal-record.js';
import { nodeFiles } from '../../../src/platform/files.js';
import { JournalWriter } from '../../../src/storage/journal/journal-writer.js';
import { VirtualTime } from '../../support/virtual-time.js';
import { acceptedOf, prepOf } from '../../support/intents.js';
import { BTC } from '../../support/markets.js';
import { mountSmallDisk, mountsSmallDisks, unmountSmallDisk } from '../../support/small-disk.js';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const NOVEMBER_2026 = Date.UTC(2026, 10, 21);

describe('doctor on Node', () => {
  it.each([
    ['24.11.0', 'ok', 'ok'],
    ['22.20.0', 'ok', 'ok'],
    // Its support ended with April 2026.
    ['20.20.2', 'warn', 'fail'],
    ['20.18.1', 'fail', 'fail'],
    ['18.20.0', 'fail', 'fail'],
    ['25.1.0', 'warn', 'fail'],
    ['28.0.0', 'ok', 'ok'],
  ])('%s: %s on paper, %s live', (version, paper, live) => {
    expect(nodeCheck(version, NOVEMBER_2026, false).status).toBe(paper);
    expect(nodeCheck(version, NOVEMBER_2026, true).status).toBe(live);
  });

  it('counts a line as supported to the last moment of its last day', () => {
    const end = Date.UTC(2026, 4, 1);
    expect(nodeCheck('20.20.2', end - 1, true).status).toBe('ok');
    expect(nodeCheck('20.20.2', end, true).status).toBe('fail');
  });
});

it('doctor fails where certificates are not verified', () => {
  expect(tlsCheck({ environment: { NODE_TLS_REJECT_UNAUTHORIZED: '0' } })).toMatchObject({ status: 'fail' });
  expect(tlsCheck({ environment: {} })).toMatchObject({ status: 'ok' });
});

describe('doctor on the synchronization of the clock', () => {
  const there = (...paths: readonly string[]) => ({
    files: {
      ...nodeFiles,
      stat: (path: string) => Promise.resolve(paths.includes(path) ? ({} as never) : undefined),
    },
  });
  it.each([
    [['/run/systemd/timesync', '/run/systemd/timesync/synchronized'], 'ok'],
    [['/run/systemd/timesync'], 'warn'],
    [['/run/chrony'], 'ok'],
    [[], 'ok'],
  ])('with %j: %s', async (paths, status) => {
    expect((await timeSyncCheck(there(...paths))).status).toBe(status);
  });
});

describe('doctor on the clock of the venue', () => {
  const at = (sentAt: number, tookMs: number, venue: number): ClockSample => ({ sentAt, tookMs, venue });

  it('believes the quickest answer, to half its time', () => {
    // The venue is 100 ms ahead; the slow answers were held up on one way.
    const check = clockCheck([at(1_000, 200, 1_290), at(2_000, 10, 2_105), at(3_000, 300, 3_390)], 5_000);
    expect(check).toMatchObject({ status: 'ok' });
    expect(check.detail).toContain("the venue's clock is 100 ms from ours, ± 6 ms");
  });

  it('warns of a clock that is far off, since requests are stamped by the venue', () => {
    expect(clockCheck([at(0, 10, 5_000)], 5_000)).toMatchObject({ status: 'warn' });
    expect(clockCheck([at(0, 10, -5_000)], 5_000)).toMatchObject({ status: 'warn' });
  });

  it('fails, and blames no clock, where the venue counts seconds', () => {
    const now = 1_800_000_000_000;
    const check = clockCheck([at(now, 10, now / 1_000)], 5_000);
    expect(check).toMatchObject({ status: 'fail', detail: expect.stringContaining('1800000000,') as string });
    expect(check.fix).toContain('milliseconds');
    // A tape of long ago.
    expect(clockCheck([at(now, 10, now / 2)], 5_000)).toMatchObject({ status: 'warn' });
  });

  it('fails where nobody can know the time well enough for the window of a request', () => {
    expect(clockCheck([at(0, 2_001, 1_000)], 2_000)).toMatchObject({ status: 'fail' });
    expect(clockCheck([at(0, 1_990, 995)], 2_000)).toMatchObject({ status: 'ok' });
    expect(clockCheck([], 2_000)).toMatchObject({ status: 'fail' });
  });
});

it('doctor names pairs that the venue does not have, those that are asleep, and those that no strategy trades', () => {
  const markets = new Map([
    [BTC.pair, BTC],
    ['SLEEPS', { ...BTC, pair: 'SLEEPS', active: false }],
    ['SPOT', { ...BTC, pair: 'SPOT', contract: 'spot' as const }],
  ]);
  const checks = marketChecks(markets, [BTC.pair, 'SLEEPS', 'SPOT', 'NOWHERE']);
  expect(checks.map(({ name, status }) => `${name}: ${status}`)).toEqual([
    `market ${BTC.pair}: ok`,
    'market SLEEPS: fail',
    'market SPOT: fail',
    'market NOWHERE: fail',
  ]);
});

it.each([
  [{ kind: 'refused', reason: 'unknown order' }, 'ok'],
  [{ kind: 'refused', reason: 'bad signature' }, 'fail'],
  [{ kind: 'refused', reason: 'Invalid sign.', isUnauthorized: true }, 'fail'],
  [{ kind: 'unanswered', reason: 'bad signature' }, 'fail'],
  [{ kind: 'unanswered', reason: 'Invalid sign.', isUnauthorized: true }, 'fail'],
  [{ kind: 'unanswered', reason: 'timeout' }, 'warn'],
] as const)('doctor on the answer %j to a signed request: %s', (outcome, status) => {
  expect(signatureCheck(outcome).status).toBe(status);
});

describe('doctor on the folder of the state', () => {
  const statuses = (checks: readonly Check[]) =>
    Object.fromEntries(checks.map(({ name, status }) => [name, status]));
  async function withState<T>(work: (state: string) => Promise<T>): Promise<T> {
    const folder = await nodeFiles.temporaryDirectory('tickwright-doctor-');
    try {
      return await work(join(folder, 'state'));
    } finally {
      await nodeFiles.remove(folder);
    }
  }
  const look = (state: string, live: boolean, freeBytes = 50 * 2 ** 30, venue?: string) => {
    const machine = { ...thisMachine('error'), disk: { freeBytes: () => Promise.resolve(freeBytes) } };
    const strategies = ['A', 'B'].map((pair) => ({
      file: 'a',
      pair,
      params: {},
      onDoubt: 'cancel' as const,
      warmUp: 0,
    }));
    return stateChecks(machine, { state, strategies, file: 'live2.yaml' }, { live, venue });
  };

  it('finds nothing wrong with one that is not there yet, but for its disk', () =>
    withState(async (state) => {
      expect(statuses(await look(state, true))).toEqual({ state: 'ok', disk: 'ok' });
      expect(statuses(await look(state, true, 500 * 2 ** 20))).toEqual({ state: 'ok', disk: 'warn' });
      expect(statuses(await look(state, true, 200 * 2 ** 20))).toEqual({ state: 'ok', disk: 'fail' });
      expect(statuses(await look(state, false, 200 * 2 ** 20))).toEqual({ state: 'ok', disk: 'warn' });
    }));

  it('finds open permissions, an end without order, a HALT file and a damaged journal', () =>
    withState(async (state) => {
      await mkdir(join(state, 'A', 'journal'), { recursive: true });
      await chmod(state, 0o750);
      await writeFile(join(state, 'HALT'), '');
      const file = { formatVersion: 1, pid: 1, process: 'elsewhere/x/1/1' };
      await writeFile(join(state, 'daemon.json'), JSON.stringify(file));
      await writeFile(join(state, 'A', 'journal', 'segment-000000000005.journal'), 'garbage\ngarbage\n');
      const found = await look(state, true);
      expect(statuses(found)).toMatchObject({
        state: 'fail',
        lock: 'warn',
        'HALT file': 'warn',
        'journal A': 'fail',
      });
      // A command that does not name its pair is refused where there are several.
      expect(
        found
          .find(({ name }) => name === 'lock')
          ?.fix.split('\n')
          .slice(1),
      ).toEqual([
        'tickwright attach --plan --config live2.yaml --pair A',
        'tickwright attach --plan --config live2.yaml --pair B',
      ]);
      await chmod(state, 0o700);
      expect(statuses(await look(state, true))).toMatchObject({ state: 'ok' });
      for (const { status, fix } of found) expect(fix === '').toBe(status === 'ok');
    }));

  it('says of a quarantine which command ends it, with its configuration and its pair', () =>
    withState(async (state) => {
      const machine = thisMachine('error');
      const directory = join(state, 'A', 'journal');
      const { journal } = await JournalWriter.open({ ...machine, directory, ballastBytes: 0 });
      const reason = 'fill 8427 is of no order of ours';
      journal.append({ kind: 'state', pair: 'A', state: 'QUARANTINED', reason, time: 1 }, 'durable');
      await journal.close();
      expect((await look(state, false)).find(({ name }) => name === 'quarantine A')).toEqual({
        name: 'quarantine A',
        status: 'warn',
        detail: reason,
        fix:
          'tickwright attach --plan --config live2.yaml --pair A shows it; once the daemon is stopped, ' +
          'tickwright attach --accept --config live2.yaml --pair A --by NAME --reason TEXT ends it',
      });
      const elsewhere = await look(state, false, 50 * 2 ** 30, 'http://127.0.0.1:9');
      expect(elsewhere.find(({ name }) => name === 'quarantine A')?.fix).toContain(
        '--plan --config live2.yaml --venue http://127.0.0.1:9 --pair A ',
      );
    }));

  it('finds orders on a pair that the configuration does not name any more', () =>
    withState(async (state) => {
      const machine = thisMachine('error');
      const records = [prepOf('s1-1', { pair: 'C' }), acceptedOf('s1-1', '7')];
      await addToJournal(machine, join(state, 'C', 'journal'), () => records);
      expect((await look(state, false)).filter(({ name }) => name === 'other pairs')).toEqual([
        expect.objectContaining({ status: 'warn', detail: expect.stringMatching(/^C: orders 7 /) as string }),
      ]);
      const ended = { kind: 'end', intent: 's1-1', orderId: '7', status: 'canceled', filled: 0, time: 1 };
      await addToJournal(machine, join(state, 'C', 'journal'), () => [ended as JournalRecord]);
      expect(statuses(await look(state, false))).not.toHaveProperty('other pairs');
    }));

  it('fails where there is a file in its place', () =>
    withState(async (state) => {
      await writeFile(state, '');
      expect(statuses(await look(state, false))).toEqual({ state: 'fail' });
      expect(statuses(await look(join(state, 'below'), false))).toMatchObject({ state: 'fail' });
    }));

  it.skipIf(!mountsSmallDisks)(
    'fails where it, or the place for it, is read-only (skipped where a small disk cannot be mounted)',
    () =>
      withState(async (state) => {
        await mkdir(state);
        expect(mountSmallDisk(state, '64k,ro,mode=700')).toBe(true);
        try {
          for (const path of [state, join(state, 'a', 'b')]) {
            const check = (await look(path, false)).find(({ name }) => name === 'state');
            expect(check).toMatchObject({
              status: 'fail',
              detail: expect.stringContaining('EROFS: read-only file system'),
              fix: 'let this user write there, or name another one as state: in the configuration',
            });
          }
        } finally {
          unmountSmallDisk(state);
        }
      }),
  );

  it.skipIf(process.geteuid?.() === 0)(
    'fails where this user may not write (skipped for root, who may everywhere)',
    () =>
      withState(async (state) => {
        await mkdir(state, { mode: 0o500 });
        for (const path of [state, join(state, 'a')]) {
          expect(statuses(await look(path, false))).toMatchObject({ state: 'fail' });
        }
      }),
  );
});

describe('a look', () => {
  it('that takes too long fails with that, and others go on', async () => {
    const time = new VirtualTime();
    const looks = new Looks(time, 2_500);
    const never = looks.at('venue', 'wait', () => new Promise<never>(() => undefined));
    const quick = looks.at('disk', '', () => Promise.resolve([ok('disk', 'fine')]));
    expect(await time.until(quick)).toEqual([ok('disk', 'fine')]);
    expect(looks.areLate).toBe(false);
    expect(await time.until(never, 2_500)).toEqual([fail('venue', 'no answer within 2.5 s', 'wait')]);
    expect(looks.areLate).toBe(true);
    expect(time.pending).toBe(0);
  });

  it('that throws fails with the reason', async () => {
    const time = new VirtualTime();
    const found = await time.until(
      new Looks(time, 2_500).at('x', 'fix it', () => Promise.reject(new Error('broken'))),
    );
    expect(found[0]).toMatchObject({ name: 'x', status: 'fail', fix: 'fix it' });
    expect(found[0]?.detail).toContain('broken');
  });

  it('that throws with a hint has that as what to do, not in what it found', async () => {
    const time = new VirtualTime();
    const gone = new VenueUnavailable(
      'http://127.0.0.1:9',
      new HttpFailure('refused', false, 'no connection'),
    );
    const [check] = await time.until(
      new Looks(time, 2_500).at('venue', 'a guess', () => Promise.reject(gone)),
    );
    expect(check).toEqual(
      fail(
        'venue',
        'the venue at http://127.0.0.1:9 does not answer: no connection',
        'is the address right, and the venue up? tickwright venue starts a simulated one',
      ),
    );
  });
});

it('the text has a line for each, what to do below it, and no way to move the cursor', () => {
  const text = checksText([ok('a', 'fine'), fail('longer', 'bad \u001b[2J\nsecond', 'do that')]);
  expect(text.split('\n')).toEqual([
    'ok   a       fine',
    'FAIL longer  bad \uFFFD[2J',
    '             second',
    '             fix: do that',
    '1 ok, 0 to look at, 1 wrong',
  ]);
});

it('doctor on a strategy says what mends it: another path where there is none, its parameters where they are wrong', async () => {
  const folder = await nodeFiles.temporaryDirectory('tickwright-doctor-');
  try {
    const shipped = fileURLToPath(new URL('../../../strategies/sma-cross.ts', import.meta.url));
    const strategies = [
      { file: join(folder, 'none.ts'), pair: 'A', params: {} },
      { file: shipped, pair: 'B', params: { fast: 'x' } },
    ];
    const checks = await loadChecks(thisMachine(), { strategies } as unknown as Settings, false);
    expect(checks.map(({ status }) => status)).toEqual(['fail', 'fail']);
    expect(checks[0]?.fix).toContain('tickwright new NAME makes one');
    expect(checks[1]?.fix).toBe(`tickwright help ${shipped} shows its parameters`);
  } finally {
    await nodeFiles.remove(folder);
  }
});
