import { execFile, execFileSync, spawn } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nodeFiles } from '../../src/platform/files.js';
import { pinoLog } from '../../src/platform/log.js';
import { limitRepeats } from '../../src/platform/log-repeats.js';
import { isLogFile, queuedSink, rotatingSink } from '../../src/platform/log-sink.js';
import { createScrubber } from '../../src/platform/scrubber.js';
import type { Log, LogFields } from '../../src/ports/log.js';
import { VirtualTime } from '../support/virtual-time.js';

let folder: string;
beforeAll(async () => {
  folder = await nodeFiles.temporaryDirectory('tickwright-log-');
});
afterAll(() => nodeFiles.remove(folder));

function linesOf(work: (log: Log) => void, secrets: readonly string[] = []): string[] {
  const lines: string[] = [];
  work(
    pinoLog({
      level: 'debug',
      scrubber: createScrubber(secrets),
      write: (line) => {
        lines.push(line);
      },
    }),
  );
  return lines;
}

describe('a line of the log', () => {
  it('is at most 16 KiB of JSON with time, level and message, whatever is in it', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 40 }),
        fc.string({ unit: 'binary', maxLength: 20 }),
        fc.integer({ min: 0, max: 20_000 }),
        (message, part, times) => {
          const [line = ''] = linesOf((log) => log.info(message, { value: part.repeat(times) }));
          expect(Buffer.byteLength(line)).toBeLessThanOrEqual(16_384);
          const { level, time, msg } = JSON.parse(line) as Record<string, string>;
          expect(level).toBe('info');
          expect(time).toMatch(/Z$/);
          expect(msg).toBe(message);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('that is too long says how long it was and how it began', () => {
    const [line = ''] = linesOf((log) => log.error('much', { pair: 'A', list: 'x'.repeat(100_000) }));
    const cut = JSON.parse(line) as Record<string, unknown>;
    expect(cut).toMatchObject({ level: 'error', msg: 'much' });
    expect(cut['cutFromBytes']).toBeGreaterThan(100_000);
    expect(cut['head']).toContain('"pair":"A","list":"xxx');
  });

  it('shows no secret where it is cut', () => {
    const secret = 'canary-secret-that-is-cut';
    for (let before = 2_900; before < 3_000; before++) {
      const [line = ''] = linesOf(
        (log) => log.info('m', { value: `${'x'.repeat(before)}${secret}${'y'.repeat(20_000)}` }),
        [secret],
      );
      expect(line).not.toContain('canary');
    }
  });

  it('holds no character that moves a cursor, ends a line or turns text', () => {
    const bad = '\u0085\u009b31m\u2028\u2029\u202e\u2066\u200b\u007f\ufeff\u001b[2J\r\n\0';
    const [line = ''] = linesOf((log) => log.warn(`m${bad}`, { [`k${bad}`]: bad }));
    expect(line.trimEnd()).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    // What it says is the same.
    const parsed = JSON.parse(line) as Record<string, string>;
    expect(parsed['msg']).toBe(`m${bad}`);
    expect(parsed[`k${bad}`]).toBe(bad);
  });
});

describe('a message that comes again and again', () => {
  function limited() {
    const time = new VirtualTime();
    const lines: [string, string, LogFields | undefined][] = [];
    const to = (level: string) => (message: string, fields?: LogFields) => {
      lines.push([level, message, fields]);
    };
    const log = limitRepeats(
      { debug: to('debug'), info: to('info'), warn: to('warn'), error: to('error') },
      { clock: time.clock, timers: time.timers, perMinute: 3 },
    );
    return { time, lines, log };
  }

  it('is logged so often in a minute, and then as a number', async () => {
    const { time, lines, log } = limited();
    for (let n = 0; n < 10; n++) log.warn('poll fails', { n });
    expect(lines.map(([, , fields]) => fields)).toEqual([{ n: 0 }, { n: 1 }, { n: 2 }]);
    await time.advance(60_001);
    expect(lines[3]).toEqual(['warn', 'log lines were left out', { of: 'poll fails', count: 7 }]);
    log.warn('poll fails', { n: 10 });
    expect(lines[4]).toEqual(['warn', 'poll fails', { n: 10 }]);
  });

  it('hides no other message, nor the same one of another level', () => {
    const { lines, log } = limited();
    for (let n = 0; n < 10; n++) log.warn('a');
    log.warn('b');
    log.error('a');
    expect(lines.slice(3).map(([level, message]) => [level, message])).toEqual([
      ['warn', 'b'],
      ['error', 'a'],
    ]);
  });

  it('is never left out where somebody debugs', () => {
    const { lines, log } = limited();
    for (let n = 0; n < 10; n++) log.debug('a');
    expect(lines).toHaveLength(10);
  });

  it('accounts for every line: written and left out are all that there were', async () => {
    const { time, lines, log } = limited();
    let given = 0;
    for (let second = 0; second < 600; second++) {
      for (let n = 0; n < second % 4; n++) {
        log.info(`m${n}`);
        given++;
      }
      await time.advance(1_000);
    }
    await time.advance(120_000);
    const counted = lines.reduce((sum, [, message, fields]) => {
      return sum + (message === 'log lines were left out' ? Number(fields?.['count']) : 1);
    }, 0);
    expect(counted).toBe(given);
    expect(time.pending).toBe(0);
  });

  it('cannot fill the memory with texts that are all different', async () => {
    const { time, lines, log } = limited();
    for (let n = 0; n < 2_000; n++) log.info(`text ${n}`);
    // 500 that are known, and as many as one message may have.
    expect(lines).toHaveLength(503);
    await time.advance(60_001);
    expect(lines.at(-1)?.[2]).toEqual({ of: 'other messages', count: 1_497 });
    expect(time.pending).toBe(0);
  });
});

describe('a log file', () => {
  it('is started anew when it is full, keeps five older ones, and loses no line', () => {
    const path = join(folder, 'rotating.log');
    const descriptor = openSync(path, 'a', 0o600);
    const sink = rotatingSink({ descriptor, path, maxBytes: 1_000 });
    // 40 bytes each: 25 lines fill a file.
    const line = (n: number) => `${String(n).padStart(6, '0')}${'.'.repeat(33)}\n`;
    for (let n = 0; n < 140; n++) sink(line(n));
    const kept = (name: string) => readFileSync(join(folder, name), 'utf8');
    const all = ['.5', '.4', '.3', '.2', '.1', ''].map((end) => kept(`rotating.log${end}`)).join('');
    expect(all).toBe(Array.from({ length: 140 }, (_, n) => line(n)).join(''));
    for (let n = 140; n < 190; n++) sink(line(n));
    const names = readdirSync(folder).filter((name) => name.startsWith('rotating.log'));
    expect(names.sort()).toEqual(['', '.1', '.2', '.3', '.4', '.5'].map((end) => `rotating.log${end}`));
    expect(kept('rotating.log.5').startsWith(line(50))).toBe(true);
    expect(statSync(join(folder, 'rotating.log.1')).mode & 0o777).toBe(0o600);
  });

  describe.each<readonly [string, string, (path: string) => string | undefined]>([
    [
      'moves',
      'moved.log',
      (path) => {
        renameSync(path, `${path}-moved`);
        return `${path}-moved`;
      },
    ],
    [
      'removes',
      'removed.log',
      (path) => {
        rmSync(path);
        return undefined;
      },
    ],
    [
      'rotates, with a new file in its place,',
      'rotated.log',
      (path) => {
        renameSync(path, `${path}-moved`);
        writeFileSync(path, '');
        return `${path}-moved`;
      },
    ],
  ])('that somebody else %s', (_, name, take) => {
    it('goes on in a file at its path, and keeps its older ones', () => {
      const path = join(folder, name);
      const text = (of: string) => readFileSync(of, 'utf8');
      for (const number of [1, 2, 3]) writeFileSync(`${path}.${number}`, `older ${number}\n`);
      const sink = rotatingSink({ descriptor: openSync(path, 'a', 0o600), path, maxBytes: 1_000 });
      const line = (n: number) => `${String(n).padStart(6, '0')}${'.'.repeat(33)}\n`;
      const lines = (from: number, to: number) =>
        Array.from({ length: to - from }, (_, n) => line(from + n)).join('');
      for (let n = 0; n < 10; n++) sink(line(n));
      const moved = take(path);
      // Two files full, and a line.
      for (let n = 10; n < 61; n++) sink(line(n));
      if (moved !== undefined) expect(text(moved)).toBe(lines(0, 10));
      expect(['.2', '.1', ''].map((end) => text(path + end))).toEqual([
        lines(10, 35),
        lines(35, 60),
        lines(60, 61),
      ]);
      expect(['.3', '.4', '.5'].map((end) => text(path + end))).toEqual([
        'older 1\n',
        'older 2\n',
        'older 3\n',
      ]);
      const others = readdirSync(folder).filter(
        (each) => each.startsWith(name) && !/log(\.[1-5])?$/.test(each),
      );
      expect(others).toEqual(moved === undefined ? [] : [`${name}-moved`]);
    });
  });

  it('that cannot be copied keeps its older ones where they are, and grows on', () => {
    const path = join(folder, 'uncopied.log');
    for (const number of [1, 2]) writeFileSync(`${path}.${number}`, `older ${number}\n`);
    // Nothing can be copied onto a folder.
    mkdirSync(`${path}.new`);
    const sink = rotatingSink({ descriptor: openSync(path, 'a'), path, maxBytes: 100 });
    for (let n = 0; n < 10; n++) sink(`${'a'.repeat(49)}\n`);
    expect(statSync(path).size).toBe(500);
    expect(['.1', '.2'].map((end) => readFileSync(path + end, 'utf8'))).toEqual(['older 1\n', 'older 2\n']);
  });

  it('that somebody else has emptied is not yet full', () => {
    const path = join(folder, 'emptied.log');
    writeFileSync(`${path}.1`, 'older\n');
    const sink = rotatingSink({ descriptor: openSync(path, 'a'), path, maxBytes: 100 });
    for (let n = 0; n < 2; n++) sink(`${'a'.repeat(49)}\n`);
    truncateSync(path);
    sink('b\n');
    expect(readFileSync(path, 'utf8')).toBe('b\n');
    expect(readFileSync(`${path}.1`, 'utf8')).toBe('older\n');
  });

  it('takes what others write through descriptors of their own', () => {
    const path = join(folder, 'shared.log');
    const sink = rotatingSink({ descriptor: openSync(path, 'a'), path, maxBytes: 100 });
    const other = openSync(path, 'a');
    sink('a'.repeat(99) + '\n');
    appendFileSync(other, 'crash\n');
    sink('b\n');
    appendFileSync(other, 'again\n');
    expect(readFileSync(`${path}.1`, 'utf8')).toBe(`${'a'.repeat(99)}\ncrash\n`);
    expect(readFileSync(path, 'utf8')).toBe('b\nagain\n');
  });

  it('is only the one that standard error really goes to', () => {
    const path = join(folder, 'mine.log');
    const descriptor = openSync(path, 'a');
    writeFileSync(join(folder, 'other.log'), '');
    expect(isLogFile(descriptor, path)).toBe(true);
    expect(isLogFile(descriptor, join(folder, 'other.log'))).toBe(false);
    expect(isLogFile(descriptor, join(folder, 'missing.log'))).toBe(false);
  });

  it('that cannot be written to drops lines and stops nobody', () => {
    const full = openSync('/dev/full', 'w');
    const sink = rotatingSink({ descriptor: full, path: join(folder, 'no', 'full.log'), maxBytes: 10 });
    for (let n = 0; n < 20; n++) sink('a line that does not fit\n');
  });
});

describe('a pipe', () => {
  const bundled = async () => {
    const bundle = join(folder, 'log-sink.mjs');
    await build({
      entryPoints: [fileURLToPath(new URL('../../src/platform/log-sink.ts', import.meta.url))],
      outfile: bundle,
      bundle: true,
      platform: 'node',
      format: 'esm',
    });
    return bundle;
  };

  it('whose reader stands still holds nobody up: lines are dropped and counted', async () => {
    const bundle = await bundled();
    const script = join(folder, 'flood.mjs');
    // 4 MiB into a pipe that holds 64 KiB; then one more line each time that somebody asks.
    writeFileSync(
      script,
      `import { isPipe, queuedSink } from ${JSON.stringify(bundle)};
       if (!isPipe(2)) throw new Error('no pipe');
       const sink = queuedSink({ descriptor: 2 });
       for (let n = 0; n < 4096; n++) sink(JSON.stringify({ n, text: 'x'.repeat(1000) }) + '\\n');
       process.stdout.write('not held up\\n');
       process.stdin.on('data', () => sink('{"n":"last"}\\n')).on('end', () => undefined);`,
    );
    const child = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'pipe'] });
    const out = await new Promise<string>((resolve) => {
      child.stdout.setEncoding('utf8').once('data', resolve);
    });
    expect(out).toBe('not held up\n');
    let err = '';
    let asked = false;
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    child.stderr.setEncoding('utf8').on('data', (part: string) => {
      err += part;
      // All that waited is here, so that there is room again.
      if (!asked && err.length > 1_000_000) {
        asked = true;
        child.stdin.end('more');
      }
    });
    expect(await ended).toBe(0);
    const lines = err
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { n?: number | string; count?: number; msg?: string });
    const numbers = lines.flatMap(({ n }) => (typeof n === 'number' ? [n] : []));
    expect(numbers).toEqual(numbers.map((_, index) => index));
    const dropped = lines.find(({ msg }) => msg === 'log lines could not be written')?.count ?? 0;
    expect(numbers.length + dropped).toBe(4_096);
    expect(dropped).toBeGreaterThan(2_000);
    expect(lines.at(-1)).toEqual({ n: 'last' });
  });

  it('that took a part of a line gets the rest of it at the end, before the lines after it', async () => {
    const bundle = await bundled();
    const pipe = join(folder, 'half-full');
    execFileSync('mkfifo', [pipe]);
    const script = join(folder, 'half.mjs');
    // The pipe takes 64 KiB and has no room then; it is emptied when the process ends, before and after the sink's turn.
    writeFileSync(
      script,
      `import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs';
       import { queuedSink } from ${JSON.stringify(bundle)};
       const descriptor = openSync(${JSON.stringify(pipe)}, constants.O_RDWR | constants.O_NONBLOCK);
       const empty = () => {
         const bytes = Buffer.alloc(1 << 20);
         try {
           for (;;) writeSync(1, bytes, 0, readSync(descriptor, bytes));
         } catch (error) {
           if (error.code !== 'EAGAIN') throw error;
         }
       };
       process.on('exit', empty);
       const sink = queuedSink({ descriptor });
       process.on('exit', empty);
       for (let n = 0; n < 100; n++) sink(JSON.stringify({ n, text: 'x'.repeat(1000) }) + '\\n');`,
    );
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [script]);
    expect(stderr).toBe('');
    const lines = stdout.trimEnd().split('\n');
    const numbers = lines.map((line) => (JSON.parse(line) as { readonly n: number }).n);
    expect(numbers).toEqual(Array.from({ length: 100 }, (_, index) => index));
  });

  it('that nobody reads any more is no reason to end', async () => {
    const descriptor = openSync('/dev/full', 'w');
    const sink = queuedSink({ descriptor });
    for (let n = 0; n < 10; n++) {
      sink('x\n');
      await new Promise((resolve) => setImmediate(resolve));
    }
  });
});
