/** A live session over real HTTP with faults, recorded, and executed again from what lies on the disk. */
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { capturePath } from '../../../src/cli/session/capture.js';
import { pollTimes } from '../../../src/cli/replay/session-poll-times.js';
import { findBlackBox } from '../../../src/cli/replay/recorded-session.js';
import { replayBlackBox } from '../../../src/cli/replay/replay.js';
import type { SessionEnd } from '../../../src/cli/session/running-session.js';
import { thisMachine } from '../../../src/cli/machine.js';
import { replayJson, replayText } from '../../../src/cli/view/replay-view.js';
import { nodeFiles } from '../../../src/platform/files.js';
import { blockOf } from '../../../src/storage/capture/black-box-block.js';
import { sealed } from '../../../src/storage/capture/capture.js';
import { CANARY, httpSession } from '../../support/http-session.js';

const SEGMENT = 'segment-000001.ndjson.gz';
const machine = thisMachine();
let folder: string;
let strategy: string;
let end: SessionEnd;
let whole: Awaited<ReturnType<typeof replayBlackBox>>;

/** Of what is asserted here, a little more. */
const LEAST = { polls: 60, orders: 5 };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tickwright-replay-'));
  strategy = join(folder, 'maker.ts');
  await cp('strategies/market-maker.ts', strategy);
  end = await httpSession({ folder: join(folder, 'bot'), forMs: 4_000, least: LEAST, strategy, pollMs: 50 });
  whole = await replayBlackBox(machine, end.capture);
});
afterAll(() => rm(folder, { recursive: true }));

/** A copy of the recording with another first segment. */
async function withSegment(name: string, change: (bytes: Buffer) => Uint8Array): Promise<string> {
  const directory = join(folder, name);
  await mkdir(directory);
  await writeFile(join(directory, SEGMENT), change(await readFile(join(end.capture, SEGMENT))));
  return directory;
}

/** The same with other lines, sealed as a session would. */
function withLines(change: (lines: string[]) => readonly string[]): (bytes: Buffer) => Uint8Array {
  return (bytes) => {
    const lines = gunzipSync(bytes).toString('utf8').trim().split('\n');
    let crc = 0;
    const texts = change(lines.map((line) => line.replace(/,"crc":"[0-9a-f]{8}"\}$/, '}'))).map((json) => {
      const { line, crc: next } = sealed(json, crc);
      crc = next;
      return `${line}\n`;
    });
    return blockOf(gzipSync(texts.join('')));
  };
}

describe('a recorded session', () => {
  it('had orders, fills and faults, and is executed again with the same end', () => {
    expect(end.captureFailure).toBeUndefined();
    expect(end.counts.orders).toBeGreaterThan(3);
    expect(whole).toMatchObject({ identical: true, end: 'orderly', firstDifference: undefined });
    expect(whole).toMatchObject({ decisionHash: end.decisionHash, wantsHash: end.wantsHash });
    expect(whole.events).toBeGreaterThan(200);
    expect(whole.requests).toBeGreaterThan(200);
    expect(replayText(whole)).toContain(`decision hash ${end.decisionHash}`);
    expect(replayJson(whole)).toMatchObject({ events: whole.events, identical: true, end: 'orderly' });
  });

  it('has no key, no secret and no signature in what it leaves behind', async () => {
    let looked = 0;
    for (const entry of await readdir(join(folder, 'bot'), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const bytes = await readFile(join(entry.parentPath, entry.name));
      const text = entry.name.endsWith('.gz') ? gunzipSync(bytes).toString('utf8') : bytes.toString('latin1');
      for (const word of [CANARY.key, CANARY.secret, 'x-signature', 'x-api-key']) {
        expect(text.includes(word), `${word} in ${entry.name}`).toBe(false);
      }
      looked += 1;
    }
    expect(looked).toBeGreaterThan(1);
  });

  it('is for its owner only', async () => {
    expect((await nodeFiles.stat(join(folder, 'bot', 'capture')))?.mode).toBe(0o700);
  });

  it('that was cut off is executed again as far as it goes', async () => {
    const cut = await withSegment('cut', (bytes) => bytes.subarray(0, bytes.length / 2));
    const result = await replayBlackBox(machine, cut);
    expect(result).toMatchObject({ identical: true, end: 'killed' });
    expect(result.events).toBeGreaterThan(20);
    expect(result.events).toBeLessThan(whole.events);
  });

  it('with one byte of a segment changed is executed up to the block of it, which is named', async () => {
    const changed = await withSegment('byte', (bytes) => {
      const copy = Buffer.from(bytes);
      const at = Math.floor(bytes.length / 2);
      copy[at] = (copy[at] as number) ^ 1;
      return copy;
    });
    const result = await replayBlackBox(machine, changed);
    expect(result.identical).toBe(false);
    expect(result.firstDifference).toMatchObject({ kind: 'damage', event: result.events + 1 });
    expect(result.firstDifference?.where).toMatch(/segment-000001\.ndjson\.gz, byte \d+$/);
    expect(replayText(result)).toContain(`from event ${result.events + 1} on the recording was changed`);
  });

  it('with one line changed names the line', async () => {
    const changed = await withSegment('line', (bytes) => {
      const lines = gunzipSync(bytes).toString('utf8').split('\n');
      lines[100] = (lines[100] as string).replace(/"at":(\d)/, (_, digit) => `"at":${digit === '9' ? 8 : 9}`);
      return blockOf(gzipSync(lines.join('\n')));
    });
    const result = await replayBlackBox(machine, changed);
    // The header is line 1.
    expect(result.firstDifference).toMatchObject({ kind: 'damage', event: 100 });
    expect(result.firstDifference?.where).toMatch(/, line 101$/);
  });

  it('with another answer in it, and sealed again, names the event at which that was seen', async () => {
    let event = 0;
    const changed = await withSegment(
      'answer',
      withLines((lines) =>
        lines.map((line) => {
          if (event > 0 || !line.includes('"answer":') || !line.includes('\\"order\\"')) return line;
          const turn = JSON.parse(line) as { readonly turn: number };
          event = turn.turn;
          return JSON.stringify({ ...turn, body: '{"ok":true,"result":{"order":{"id":"another"}}}' });
        }),
      ),
    );
    const result = await replayBlackBox(machine, changed);
    expect(event).toBeGreaterThan(0);
    expect(result.firstDifference?.event).toBe(event);
    expect(result.firstDifference?.cause).toMatch(/^request \d+ is answered with 200$/);
  });

  it('whose end says another hash names that', async () => {
    const changed = await withSegment(
      'end',
      withLines((lines) => lines.map((line) => line.replace(end.decisionHash, 'another'))),
    );
    const result = await replayBlackBox(machine, changed);
    expect(result.firstDifference).toMatchObject({
      kind: 'decision-hash',
      event: whole.events,
      recorded: 'another',
      recomputed: end.decisionHash,
    });
  });

  it('that does not reach back to its beginning is refused', async () => {
    const later = await withSegment(
      'later',
      withLines(([header = '', ...rest]) => [header.replace('"firstTurn":1', '"firstTurn":500'), ...rest]),
    );
    await expect(replayBlackBox(machine, later)).rejects.toThrow(/received its turns from number 500 on/);
  });

  it('is found by its folder, or by that of a bot with only one', async () => {
    const bot = join(folder, 'bot');
    expect(await findBlackBox(nodeFiles, end.capture)).toBe(end.capture);
    expect(await findBlackBox(nodeFiles, bot)).toBe(end.capture);
    expect(await findBlackBox(nodeFiles, strategy)).toBeUndefined();
    const paper = join(folder, 'paper');
    await mkdir(paper);
    await expect(findBlackBox(nodeFiles, paper)).rejects.toThrow(/received no black box there$/);
    // What a recording of a market has is none of a session.
    for (const name of ['markets.ndjson', 'funding.ndjson']) await writeFile(join(paper, name), '');
    await expect(findBlackBox(nodeFiles, paper)).rejects.toThrow(/received no black box there$/);
    const captures = [1, 2].map((day) => {
      const clock = { ...machine.clock, wall: () => Date.UTC(2026, 0, day) };
      return capturePath({ ...machine, clock }, paper, 'hold');
    });
    for (const path of captures) await writeFile(path, '');
    await expect(findBlackBox(nodeFiles, paper)).rejects.toThrow(
      `received no black box there, but captures of its inputs for tickwright parity, the newest ${captures[1]}`,
    );
    const two = join(folder, 'two');
    for (const name of ['s1', 's2']) await cp(end.capture, join(two, 'capture', name), { recursive: true });
    await expect(findBlackBox(nodeFiles, two)).rejects.toThrow(/received a bot with several: s1, s2/);
  });
});

describe('a strategy that is another one now', () => {
  it('is named first, with what it did differently', async () => {
    const source = await readFile(strategy, 'utf8');
    try {
      await writeFile(strategy, source.replace('side(bid)', 'side(bid - 1)'));
      const result = await replayBlackBox(machine, end.capture);
      const { sha256 } = whole.recorded.strategy;
      expect(result.firstDifference).toMatchObject({
        kind: 'strategy',
        event: 0,
        where: strategy,
        recorded: sha256,
      });
      expect(result.firstDifference?.consequence).toMatchObject({ kind: 'decision' });
      expect(replayText(result)).toMatch(/no longer what the session ran[^]*and so:[^]*another decision/);
    } finally {
      await writeFile(strategy, source);
    }
  });
});

describe('the poll times of a recorded session', () => {
  it('are those at which it was told, by its folder and by that of its bot', async () => {
    const times = await pollTimes(machine, end.capture);
    expect(times.length).toBeGreaterThan(LEAST.polls / 2);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    const length = (times.at(-1) as number) - (times[0] as number);
    expect(length).toBeGreaterThan(1_000);
    expect(await pollTimes(machine, join(folder, 'bot'))).toEqual(times);
  });

  it('are not to be had where it cannot be executed again', async () => {
    const changed = await withSegment('unpolled', (bytes) => {
      const copy = Buffer.from(bytes);
      const at = Math.floor(bytes.length / 2);
      copy[at] = (copy[at] as number) ^ 1;
      return copy;
    });
    await expect(pollTimes(machine, changed)).rejects.toThrow(
      /^--poll must be a session that can be executed again, received .*unpolled, which cannot from event \d+ on \(tickwright replay says why\)$/,
    );
    await expect(pollTimes(machine, folder)).rejects.toThrow('received no black box there');
  });
});
