/** A session that has gone on for days: retention has dropped the first segments of its recording. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { openBlackBox } from '../../../src/cli/replay/recorded-session.js';
import { recordedSpans } from '../../../src/cli/replay/traced-session.js';
import { noSession } from '../../../src/cli/replay/why-not.js';
import { thisMachine } from '../../../src/cli/machine.js';
import { blackBoxSegments } from '../../../src/storage/capture/black-box-layout.js';
import { BlackBoxWriter } from '../../../src/storage/capture/black-box-writer.js';
import { folder } from '../../storage/support.js';

const machine = thisMachine('error');
const { files } = machine;
const HOUR = 3_600_000;
let capture: string;

beforeEach(async () => {
  capture = join(await folder(), 'capture');
  const directory = join(capture, 'tw-long');
  const options = { header: { session: 'tw-long' }, start: { books: {} }, segmentBytes: 1 };
  const writer = new BlackBoxWriter({ ...machine, ...options, directory });
  for (let turn = 1; turn <= 5; turn++) {
    writer.turn(turn, JSON.stringify({ turn, wall: turn * HOUR }));
    await writer.flush();
  }
  await writer.abandon();
  const [first, second, ...others] = await blackBoxSegments(files, directory);
  expect(others.length).toBeGreaterThan(1);
  for (const segment of [first, second]) await rm(segment?.path ?? '');
});

it('is said to have lost its beginning, and not to have been changed', async () => {
  await expect(openBlackBox(files, join(capture, 'tw-long'))).rejects.toThrow(
    /its segments from number 3 on: the oldest were dropped$/,
  );
});

it('is no moment at which nothing ran', async () => {
  const spans = await recordedSpans(machine, capture);
  expect(spans).toMatchObject([
    { session: 'tw-long', problem: expect.stringContaining('were dropped') as string },
  ]);
  const from = spans[0]?.from ?? 0;
  for (const at of [from - 1, from + 1]) {
    const [gate, ...others] = noSession(spans, at);
    expect(others).toEqual([]);
    expect(gate?.text).toContain('cannot be computed again; session tw-long is recorded from ');
  }
});
