import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { PlaceCommand, Refusal } from '../../src/model/command.js';
import type { EngineEvent } from '../../src/model/event.js';
import type { Lots, Ticks } from '../../src/model/grid.js';
import { defineMarket } from '../../src/model/market.js';
import type { Files } from '../../src/ports/files.js';
import { CaptureWriter, type CaptureOptions } from '../../src/storage/capture/capture-writer.js';
import { type CaptureRecord, openCapture } from '../../src/storage/capture/capture-reader.js';
import { decisionText } from '../../src/storage/capture/decision-codec.js';
import { marketSpecOf } from '../../src/storage/market-spec.js';
import { anyEvent } from './arbitrary-event.js';
import { VirtualTime } from '../support/virtual-time.js';
import { files, folder, PAIR, T0 } from './support.js';

const MARKET = {
  pair: PAIR,
  base: 'BTC',
  quote: 'USD',
  contract: 'linear',
  quotePrecision: 8,
  price: { min: '0.5', max: '1000000', step: '0.5' },
  quantity: { min: '0.001', max: '100', step: '0.001' },
  icebergs: { min: '0.01', max: '10', step: '0.01' },
  interest: { min: '0', max: '50', step: '0.001' },
  fees: { maker: '-0.0001', taker: '0.0006', liquidation: '0.005' },
  margin: {
    initial: '0.01',
    maintenance: '0.005',
    initialRiskLimit: '0.000001',
    maintenanceRiskLimit: '0.0000005',
  },
  active: true,
} as const;

const HEADER: CaptureOptions['header'] = {
  engine: '0.1.0',
  strategy: {
    name: 'market-maker',
    file: 'strategies/market-maker.ts',
    sha256: 'ab',
    params: { quantity: '0.01' },
  },
  market: MARKET,
  limits: { maxPosition: '0.05' },
  options: { warmUp: true },
};
const FOOTER = { inputs: 3, wantsHash: 'aa', decisionHash: 'bb' };

const place: PlaceCommand = {
  kind: 'place',
  intentId: 1,
  pair: PAIR,
  terms: {
    side: 'buy',
    type: 'limit',
    ticks: 618_003 as Ticks,
    lots: 10 as Lots,
    timeInForce: 'GTC',
    postOnly: true,
    reduceOnly: false,
  },
  want: 4,
};
const refusal: Refusal = {
  kind: 'refusal',
  intentId: undefined,
  pair: PAIR,
  rule: 'max-position',
  asked: '0.06',
  bound: '0.05',
  reason: 'max-position: 0.06 must be at most 0.05',
  want: undefined,
};

/** Nobody lets it go on, unless it is said. */
const { timers } = new VirtualTime();

const mark = (time: number): EngineEvent => ({ kind: 'mark', time });

async function records(path: string): Promise<CaptureRecord[]> {
  const all: CaptureRecord[] = [];
  for await (const record of (await openCapture(files, path)).records()) all.push(record);
  return all;
}

async function captured(options: Partial<CaptureOptions> = {}) {
  const path = join(await folder(), 'sessions', 'one.ndjson');
  const writer = await CaptureWriter.open(files, { path, header: HEADER, timers, ...options });
  return { path, writer };
}

async function threeInputs() {
  const { path, writer } = await captured();
  writer.input(1, mark(T0));
  writer.input(2, mark(T0 + 1));
  writer.decision(2, [place], [refusal], [{ intentId: 1, want: 3, by: 4 }]);
  writer.input(3, mark(T0 + 2));
  await writer.finish(FOOTER);
  return path;
}

describe('a capture', () => {
  it('comes back as it was written', async () => {
    const path = await threeInputs();
    const { header } = await openCapture(files, path);
    expect(header).toEqual({ ...HEADER, firstInput: 1 });
    const all = await records(path);
    expect(all.map(({ kind, where, intact }) => [kind, where, intact])).toEqual([
      ['header', `${path}:1`, true],
      ['input', `${path}:2`, true],
      ['input', `${path}:3`, true],
      ['decision', `${path}:4`, true],
      ['input', `${path}:5`, true],
      ['footer', `${path}:6`, true],
    ]);
    expect(all[2]).toMatchObject({ input: 2, event: mark(T0 + 1) });
    expect(all[3]).toMatchObject({
      input: 2,
      decision: decisionText({
        commands: [place],
        refusals: [refusal],
        superseded: [{ intentId: 1, want: 3, by: 4 }],
      }),
    });
    expect(all[5]).toMatchObject({ footer: FOOTER });
  });

  it('tells decisions apart that differ in a stop only', () => {
    const stopAt = (at: number) => ({
      ...place,
      terms: { ...place.terms, trigger: { ticks: at as Ticks, event: 'last' as const } },
    });
    const textOf = (command: PlaceCommand) =>
      decisionText({ commands: [command], refusals: [], superseded: [] });
    expect(new Set([textOf(place), textOf(stopAt(590_000)), textOf(stopAt(590_001))]).size).toBe(3);
  });

  it('holds any events, in their order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyEvent, { maxLength: 50 }), async (events) => {
        const { path, writer } = await captured();
        for (const [index, event] of events.entries()) writer.input(index + 1, event);
        await writer.finish(FOOTER);
        const all = await records(path);
        expect(all.every(({ intact }) => intact)).toBe(true);
        expect(all.flatMap((record) => (record.kind === 'input' ? [record.event] : []))).toStrictEqual(
          events,
        );
      }),
      { numRuns: 20 },
    );
  });

  it('names exactly the one line that was changed', async () => {
    const path = await threeInputs();
    const text = await readFile(path, 'utf8');
    const changed = text.replace(`"time":${T0 + 1}`, `"time":${T0 + 9}`);
    expect(changed).not.toBe(text);
    await writeFile(path, changed);
    expect((await records(path)).filter(({ intact }) => !intact)).toMatchObject([
      { kind: 'input', input: 2, where: `${path}:3`, event: mark(T0 + 9) },
    ]);
  });

  it('names the line after one that was taken out, even if its checksum was made to fit', async () => {
    const path = await threeInputs();
    const lines = (await readFile(path, 'utf8')).split('\n');
    await writeFile(path, lines.toSpliced(1, 1).join('\n'));
    expect((await records(path)).filter(({ intact }) => !intact)).toMatchObject([
      { kind: 'input', input: 2 },
    ]);
  });

  it('notices any single changed character', async () => {
    const path = await threeInputs();
    const text = await readFile(path, 'utf8');
    const lineStarts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: text.length - 2 }),
        fc.constantFrom('0', 'x', ' '),
        async (at, other) => {
          fc.pre(text[at] !== other && text[at] !== '\n');
          await writeFile(path, text.slice(0, at) + other + text.slice(at + 1));
          const line = lineStarts.filter((start) => start <= at).length;
          let found: string[];
          try {
            found = (await records(path)).filter(({ intact }) => !intact).map(({ where }) => where);
          } catch (error) {
            found = [String(error)];
          }
          // A changed checksum is seen on its own line; then the next one no longer follows from it.
          expect(found[0]).toContain(`${path}:${line}`);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('of a session that was killed ends with its last whole line', async () => {
    const path = await threeInputs();
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.slice(0, text.lastIndexOf('"footer"') + 20));
    expect((await records(path)).map(({ kind }) => kind)).toEqual([
      'header',
      'input',
      'input',
      'decision',
      'input',
    ]);
  });

  it('makes a folder that only this user can look into, since a bot keeps its state beside', async () => {
    const { path, writer } = await captured();
    await writer.finish(FOOTER);
    expect((await files.stat(dirname(path)))?.mode).toBe(0o700);
  });

  it('replaces an older one of the same name, with all its parts', async () => {
    const { path, writer } = await captured({ keepMs: 10 });
    for (let i = 1; i <= 30; i++) writer.input(i, mark(T0 + i));
    await writer.finish(FOOTER);
    const again = await CaptureWriter.open(files, { path, header: HEADER, timers });
    again.input(1, mark(T0));
    await again.finish(FOOTER);
    expect(await records(path)).toHaveLength(3);
  });

  it.each([
    ['not there', undefined, 'must be a capture, received nothing there'],
    ['empty', '', 'one.ndjson:1 must be the header of a capture'],
    ['no JSON', 'hello\n', 'one.ndjson:1 must be the header of a capture'],
    [
      'of another version',
      '{"header":{"formatVersion":1}}\n',
      'one.ndjson:1: header.formatVersion must be 2, received 1',
    ],
    [
      'something else',
      '{"input":1,"event":{"kind":"mark","time":1}}\n',
      'one.ndjson:1 must be the header of a capture',
    ],
  ])('that is %s is refused by file and line', async (_, text, message) => {
    const path = join(await folder(), 'one.ndjson');
    if (text !== undefined) await writeFile(path, text);
    await expect(records(path)).rejects.toThrow(message);
  });

  it('with a line that cannot be read is refused by that line', async () => {
    const path = await threeInputs();
    await appendFile(path, '{"input":4,"event":{"kind":"trade"}}\n');
    await expect(records(path)).rejects.toThrow(`${path}:7: event.trade must be an object, received nothing`);
  });
});

describe('a capture of the newest stretch', () => {
  it('keeps at least that stretch and less than twice of it, and its part starts with a header of its own', async () => {
    for (let last = 1; last <= 45; last++) {
      const { path, writer } = await captured({ keepMs: 10, partOptions: () => ({ part: true }) });
      for (let i = 1; i <= last; i++) writer.input(i, mark(T0 + i));
      await writer.finish({ ...FOOTER, inputs: last });
      const all = await records(path);
      const inputs = all.flatMap((record) => (record.kind === 'input' ? [record.input] : []));
      const first = inputs[0] as number;
      expect(inputs).toEqual(Array.from({ length: last - first + 1 }, (_, i) => first + i));
      expect(first).toBe(all[0]?.kind === 'header' ? all[0].header.firstInput : 0);
      expect(inputs.length).toBeGreaterThanOrEqual(Math.min(last, 11));
      expect(inputs.length).toBeLessThanOrEqual(20);
      expect(all.every(({ intact }) => intact)).toBe(true);
      const { header } = await openCapture(files, path);
      expect(header.options).toEqual(first === 1 ? { warmUp: true } : { warmUp: true, part: true });
    }
  });
});

it('a capture is on the disk a second after it was told, since its session may be killed', async () => {
  const time = new VirtualTime();
  const { path, writer } = await captured({ timers: time.timers });
  const kinds = async () => (await records(path)).map(({ kind }) => kind);
  await time.advance(1_000);
  await vi.waitFor(async () => expect(await kinds()).toEqual(['header']));
  writer.input(1, mark(T0));
  await time.advance(999);
  expect(await kinds()).toEqual(['header']);
  await time.advance(1);
  await vi.waitFor(async () => expect(await kinds()).toEqual(['header', 'input']));
  await writer.abandon();
});

it('a capture on a disk that fails stops and says why, and nobody is thrown at before the end', async () => {
  const full: Files = {
    ...files,
    openAppend: async (path) => {
      const file = await files.openAppend(path);
      return {
        size: () => file.size(),
        append: () => Promise.reject(new Error('no space left on device')),
        sync: () => file.sync(),
        truncate: (size) => file.truncate(size),
        close: () => file.close(),
      };
    },
  };
  const writer = await CaptureWriter.open(full, {
    path: join(await folder(), 'one.ndjson'),
    header: HEADER,
    timers,
  });
  writer.input(1, mark(T0));
  await writer.flush();
  expect(writer.failure?.message).toBe('no space left on device');
  writer.input(2, mark(T0));
  await expect(writer.finish(FOOTER)).rejects.toThrow('no space left on device');
});

it('a market that was taken apart into its specification is the same market', () => {
  expect(marketSpecOf(defineMarket(MARKET))).toMatchObject(MARKET);
  expect(defineMarket(marketSpecOf(defineMarket(MARKET)))).toEqual(defineMarket(MARKET));
  const bare = defineMarket({
    pair: PAIR,
    base: 'BTC',
    quote: 'USD',
    price: MARKET.price,
    quantity: MARKET.quantity,
    fees: { maker: 0, taker: 0.0005 },
  });
  expect(defineMarket(marketSpecOf(bare))).toEqual(bare);
});

it('a capture leaves describing what it is told until whoever tells it has done what cannot wait', async () => {
  const path = join(await folder(), 'one.ndjson');
  const writer = await CaptureWriter.open(files, { path, header: HEADER, timers });
  const done: string[] = [];
  const refusal: Refusal = {
    kind: 'refusal',
    intentId: 1,
    pair: PAIR,
    rule: 'lot',
    asked: '1',
    bound: '2',
    get reason() {
      done.push('described');
      return 'lot: for a test';
    },
    want: undefined,
  };
  writer.input(1, mark(T0));
  writer.decision(1, [], [refusal], []);
  writer.input(2, mark(T0 + 1));
  done.push('sent');
  await writer.finish({ ...FOOTER, inputs: 2 });
  expect(done).toEqual(['sent', 'described']);
  expect((await records(path)).map(({ kind }) => kind)).toEqual([
    'header',
    'input',
    'decision',
    'input',
    'footer',
  ]);
});

it('a part that has only begun takes nothing from the whole one before it', async () => {
  const path = join(await folder(), 'one.ndjson');
  let isFull = false;
  const disk: Files = {
    ...files,
    openAppend: async (name) => {
      const file = await files.openAppend(name);
      const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
      return {
        size: () => file.size(),
        append: (bytes) => (isFull ? Promise.reject(full) : file.append(bytes)),
        sync: () => file.sync(),
        truncate: (size) => file.truncate(size),
        close: () => file.close(),
      };
    },
  };
  const writer = await CaptureWriter.open(disk, { path, header: HEADER, timers, keepMs: 10 });
  writer.input(1, mark(T0));
  writer.input(2, mark(T0 + 5));
  await writer.flush();
  isFull = true;
  writer.input(3, mark(T0 + 10));
  await expect(writer.finish(FOOTER)).rejects.toThrow('no space left on device');
  expect((await files.stat(`${path}.1`))?.size).toBe(0);
  expect((await records(path)).map(({ kind }) => kind)).toEqual(['header', 'input', 'input']);
  await writeFile(`${path}.1`, '{"header":{"eng');
  expect(await records(path)).toHaveLength(3);
});

it('a new part has its header at once', async () => {
  const { path, writer } = await captured({ keepMs: 10 });
  writer.input(1, mark(T0));
  writer.input(2, mark(T0 + 10));
  // `timers` stand still: nothing is written later.
  await vi.waitFor(async () => expect(await readFile(`${path}.1`, 'utf8')).toContain('"firstInput":2'));
});
