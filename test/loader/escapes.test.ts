import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { loadStrategy } from '../../src/loader/load-strategy.js';
import { nodeFiles } from '../../src/platform/files.js';
import { projects, strategy } from './projects.js';

const repository = fileURLToPath(new URL('../../', import.meta.url));
const { load, refusal, cacheDirectory } = projects('tickwright-escapes-');

/** Statement of the handler, what the message calls it, and a part of what it says instead. */
const ESCAPES: readonly (readonly [statement: string, received: string, hint: string])[] = [
  ['return Date.now();', 'Date.now', 'context.now'],
  ['return new Date();', 'new Date()', 'context.now'],
  ['return new Date;', 'new Date()', 'context.now'],
  ['return new Date(...[]);', 'new Date()', 'context.now'],
  ['return Date();', 'Date()', 'context.now'],
  ['const Clock = Date; return Clock.now();', 'Date', 'context.now'],
  ['const { now } = Date; return now();', 'Date', 'context.now'],
  ["return Date['now']();", 'received Date', 'context.now'],
  ['return Date?.now();', 'Date.now', 'context.now'],
  ['return Reflect.construct(Date, []);', 'Date', 'context.now'],
  ["return Date.parse('2026-01-01T00:00');", 'Date.parse', 'UTC'],
  ['return new Date(2026, 0, 1).getTime();', 'new Date(year, month …)', 'UTC'],
  ["return new Date('2026-01-01T00:00').getTime();", 'new Date("2026-01-01T00:00")', 'UTC'],
  ["const text = '2026-01-01T00:00'; return new Date(text).getTime();", 'new Date(text)', 'UTC'],
  ["return new Date('2026-01-0' + trade.id + 'T00:00').getTime();", 'new Date("2026-01-0" + trade.id', 'UTC'],
  ['return new Date(`2026-01-0${trade.id}T00:00`).getTime();', 'new Date("2026-01-0".concat(', 'UTC'],
  ['return String(new Date(context.now)).length;', 'the text of a date', 'UTC'],
  ['return `at ${trade.price} ${new Date(context.now)}`.length;', 'the text of a date', 'UTC'],
  ["return ('' + new Date(context.now)).length;", 'the text of a date', 'UTC'],
  ["return (new Date(context.now) + '').length;", 'the text of a date', 'UTC'],
  ['return new Date(context.now).toString();', 'the text of a date', 'UTC'],
  ['const at = new Date(context.now); return `${at}`;', 'the text of a date', 'UTC'],
  ['const at = new Date(context.now); return { say: () => String(at) };', 'the text of a date', 'UTC'],
  ['return new Date(context.now).getHours();', 'getHours()', 'getUTCHours'],
  ['return new Date(context.now).getTimezoneOffset();', 'getTimezoneOffset()', 'UTC'],
  ["return new Date(context.now).toLocaleString('en');", 'toLocaleString', 'language and time zone'],
  ["return new Intl.DateTimeFormat('en').format(context.now);", 'Intl', 'language and time zone'],
  ["return 'a'.localeCompare('B');", 'localeCompare', 'language and time zone'],
  ['return performance.now();', 'performance', 'context.now'],
  ['return Temporal.Now.instant();', 'Temporal', 'context.now'],
  ["return new Event('x').timeStamp;", 'Event', 'context.now'],
  ["return new CustomEvent('x').timeStamp;", 'CustomEvent', 'context.now'],
  ["return new File([], 'x').lastModified;", 'File', 'context.now'],
  ["return new PerformanceMark('x').startTime;", 'PerformanceMark', 'context.now'],
  ["return new Blob(['x']).text();", 'Blob', 'synchronously'],
  ["return new Response('x').text();", 'Response', 'without a network'],
  ['return Array.fromAsync([]);', 'fromAsync', 'synchronously'],
  ["return { 'a-b': new Date(context.now).getHours(), 'c-d': 1 };", 'getHours()', 'getUTCHours'],
  ["return { 'a-b': (5).toLocaleString() + ' USD' };", 'toLocaleString', 'language and time zone'],
  [`return [1].map((x) => /"/.test(String(x)) ? new Date(x).getHours() : '"');`, 'getHours()', 'getUTCHours'],
  [`for (const k of /"/g.exec('') ?? []) k.toLocaleString('"');`, 'toLocaleString', 'language and time zone'],
  ["return (function () {} / 'a'.toLocaleString()) / 2;", 'toLocaleString', 'language and time zone'],
  [`return typeof /'/ + 'x'.localeCompare('b') + "'";`, 'localeCompare', 'language and time zone'],
  [`if (trade.price > 1) /'/.test('') || new Date(0).getHours(); return "'";`, 'getHours()', 'getUTCHours'],
  ['return of(1).toPromise();', 'toPromise', 'synchronously'],
  ['return URL.createObjectURL(trade).length;', 'createObjectURL', 'context.random'],
  ['return Buffer.allocUnsafe(8)[0];', 'allocUnsafe', 'memory'],
  ['return Math.random();', 'Math.random', 'context.random'],
  ["return Math['random']();", 'Math', 'context.random'],
  ['const { random } = Math; return random();', 'Math.random', 'context.random'],
  ['const M = Math; return M.random();', 'Math itself', 'context.random'],
  ['return crypto.randomUUID();', 'crypto', 'context.random'],
  ['return crypto.getRandomValues(new Uint8Array(1))[0];', 'crypto', 'context.random'],
  ['setTimeout(() => context.cancel(1), 10);', 'setTimeout', 'context.setTimer'],
  ['setInterval(() => {}, 10);', 'setInterval', 'context.setTimer'],
  ['setImmediate(() => {});', 'setImmediate', 'context.setTimer'],
  ['queueMicrotask(() => {});', 'queueMicrotask', 'context.setTimer'],
  ["fetch('http://127.0.0.1/');", 'fetch', 'without a network'],
  ["new WebSocket('ws://127.0.0.1/');", 'WebSocket', 'without a network'],
  ["new EventSource('http://127.0.0.1/');", 'EventSource', 'without a network'],
  ['return process.env.HOME;', 'process', 'its parameters'],
  ["return process.env['HOME'];", 'process', 'its parameters'],
  ['return process.hrtime.bigint();', 'process', 'its parameters'],
  ['return typeof process;', 'process', 'its parameters'],
  ['return navigator.hardwareConcurrency;', 'navigator', 'without a network'],
  ['return globalThis.Date.now();', 'globalThis', 'name what it uses'],
  ["return globalThis['Da' + 'te'].now();", 'globalThis', 'name what it uses'],
  ['return global.process.pid;', 'global', 'name what it uses'],
  ["return eval('Date.now()');", 'eval', 'name what it uses'],
  ["return new Function('return Date.now()')();", 'Function', 'name what it uses'],
  ["return (() => {}).constructor('return Date.now()')();", 'constructor', 'name its classes'],
  ["return (() => {})['constructor']('return Date.now()')();", "the text 'constructor'", 'another word'],
  ["const make = (() => {}).constructor; return make('return Date.now()')();", 'constructor', 'new Bot()'],
  ['return new (this.constructor)();', 'constructor', 'name its classes'],
  ['return Object === trade.constructor.constructor;', 'constructor', 'name its classes'],
  ["return Object === trade.constructor('x');", 'constructor', 'name its classes'],
  ["return Object === trade.constructor['name'];", 'constructor', 'name its classes'],
  ['return (trade.price === 1, trade.constructor);', 'constructor', 'name its classes'],
  ["return Object !== trade.at?.constructor?.('x');", 'constructor', 'name its classes'],
  ["const key = 'constructor'; return (() => {})[key];", "the text 'constructor'", 'another word'],
  ["return trade.price === 1 ? 'constructor' : 'x';", "the text 'constructor'", 'another word'],
  ['const { constructor: make } = () => {}; return make;', 'constructor', 'name its classes'],
  ["return import('node:fs');", 'import of "node:fs"', 'parameters and events'],
  ["const name = 'node:' + trade.id; return import(name);", 'import()', 'name what it uses'],
  ['return import.meta.url;', 'import.meta', 'its parameters'],
  ["const name = 'f' + trade.id; return require(name);", 'require', 'its parameters'],
  ['const late = async () => { context.cancel(1); }; late();', 'an async function', 'synchronously'],
  ['Promise.resolve().then(() => context.cancel(1));', 'Promise', 'synchronously'],
  ['return AbortSignal.timeout(1);', 'AbortSignal', 'synchronously'],
  ['return new WeakRef(context).deref();', 'WeakRef', 'memory'],
  ['new FinalizationRegistry(() => {});', 'FinalizationRegistry', 'memory'],
  ['Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);', 'Atomics', 'memory'],
  ["new Worker('x.js');", 'Worker', 'memory'],
];

const IMPORTS: readonly (readonly [imports: string, received: string, hint: string])[] = [
  ["import { readFileSync } from 'node:fs'; readFileSync;", 'node:fs', 'its parameters and events'],
  ["import { readFile } from 'fs/promises'; readFile;", 'fs/promises', 'its parameters and events'],
  ["import { execSync } from 'node:child_process'; execSync;", 'node:child_process', 'its parameters'],
  ["import { hostname } from 'node:os'; hostname;", 'node:os', 'its parameters and events'],
  ["import { connect } from 'node:net'; connect;", 'node:net', 'without a network'],
  ["import { get } from 'node:https'; get;", 'node:https', 'without a network'],
  ["import { randomBytes } from 'node:crypto'; randomBytes;", 'node:crypto', 'context.random'],
  [
    "import { setTimeout } from 'node:timers/promises'; setTimeout;",
    'node:timers/promises',
    'context.setTimer',
  ],
  ["import { performance } from 'node:perf_hooks'; performance;", 'node:perf_hooks', 'context.setTimer'],
  ["import process from 'node:process'; process;", 'node:process', 'its parameters and events'],
  ["import { Worker } from 'node:worker_threads'; Worker;", 'node:worker_threads', 'its parameters'],
  ["import { createRequire } from 'node:module'; createRequire;", 'node:module', 'its parameters'],
  ["import { runInThisContext } from 'node:vm'; runInThisContext;", 'node:vm', 'its parameters'],
  ["import { ajax } from 'rxjs/ajax'; ajax;", 'rxjs/ajax', 'without a network'],
  [
    "import { animationFrames, of } from 'rxjs'; animationFrames(); of;",
    'animationFrames',
    'context.scheduler',
  ],
  ["import { asyncScheduler as a } from 'rxjs'; a.now();", 'asyncScheduler', 'context.scheduler'],
  ["import * as rx from 'rxjs'; rx.asapScheduler.now();", 'rx.asapScheduler', 'context.scheduler'],
  ["import { queueScheduler } from 'rxjs'; queueScheduler.now();", 'queueScheduler', 'context.scheduler'],
  ["import { queue as q } from 'rxjs'; q.now();", 'queue', 'context.scheduler'],
  ["import { Scheduler } from 'rxjs'; Scheduler.now();", 'Scheduler', 'context.scheduler'],
  ["import * as rx from 'rxjs'; rx.queueScheduler.now();", 'rx.queueScheduler', 'context.scheduler'],
  ["import * as rx from 'rxjs'; rx['asyncScheduler'].now();", 'rx itself', 'name what it uses'],
  ["import * as rx from 'rxjs'; const all = { ...rx }; all.timer(9);", 'rx itself', 'name what it uses'],
  ["import * as rx from 'rxjs'; const { Scheduler } = rx; Scheduler.now();", 'rx itself', 'name what'],
  ["import rx from 'rxjs'; rx.asyncScheduler.now();", 'rx.asyncScheduler', 'context.scheduler'],
  [
    "import { async } from 'rxjs/internal/scheduler/async'; async.now();",
    'rxjs/internal/scheduler/async',
    'context.scheduler',
  ],
  ["import { TestScheduler } from 'rxjs/testing'; TestScheduler;", 'rxjs/testing', 'context.scheduler'],
];

describe('what differs between two runs is refused before a strategy runs, at its line', () => {
  it.each(ESCAPES)('%s', async (statement, received, hint) => {
    const message = await refusal({ 's.ts': strategy(statement) });
    expect(message).toMatch(/^s\.ts:6:\d+: /);
    const [first = ''] = message.split('\n');
    expect(first).toContain(received);
    expect(message).toContain(hint);
    // The caret stands under something of the statement.
    const column = Number(/^s\.ts:6:(\d+)/.exec(message)?.[1]);
    expect(column).toBeGreaterThan(4);
    expect(column).toBeLessThanOrEqual(4 + statement.length);
  });

  it.each(IMPORTS)('%s', async (imports, received, hint) => {
    const message = await refusal({ 's.ts': strategy('return undefined;', imports) });
    expect(message).toMatch(/^s\.ts:1:\d+: /);
    expect(message).toContain(received);
    expect(message).toContain(hint);
  });

  it('waiting while it is loaded', async () => {
    expect(await refusal({ 's.ts': `const x = await 1;\n${strategy('return x;')}` })).toMatch(
      /^s\.ts:1:11: a strategy must answer synchronously, .*, received await outside of a function\n/,
    );
  });

  it('in a file that the strategy imports, and all of them at once', async () => {
    const message = await refusal({
      's.ts': strategy('return late() + Math.random();', "import { late } from './lib/late.js';"),
      'lib/late.ts': '\nexport function late() {\n  return Date.now();\n}\n',
    });
    expect(message.match(/^\S+:\d+:\d+/gm)).toEqual(['lib/late.ts:3:10', 's.ts:6:21']);
  });

  it('is shown with its line and a caret', async () => {
    expect(await refusal({ 's.ts': strategy('const at = Date.now();') })).toBe(
      's.ts:6:16: a strategy must take the time from context.now, received Date.now\n' +
        '  6 |     const at = Date.now();\n' +
        '    |                ^',
    );
  });
});

describe('what is the same in every run is none of it', () => {
  it.each([
    ['a date of a time, in UTC', 'return new Date(context.now).getUTCHours() + Date.UTC(2026, 0, 1);'],
    ['a date of a text with its zone', "return +new Date('2026-01-01T00:00:00Z') + +new Date('2026-01-01');"],
    [
      'a date of texts that end in their zone, and dates that become numbers or texts of UTC',
      "const day = '2026-01-01'; const zone = 'Z'; const d = new Date(day); zone; " +
        'return `${d.getTime()} ${new Date(context.now).toISOString()} ${+d}` + String(new Date(trade.time).getTime()) + ' +
        "new Date(day + 'T00:00:00Z').toJSON() + new Date(`${day}T00:00+01:00`).toISOString();",
    ],
    [
      'a number with the name of a date elsewhere',
      "{ const d = new Date(1); d; } { const d = 1; return '' + d; }",
    ],
    ['its own classes', 'class Own { constructor(readonly at: number) {} } return new Own(1).at;'],
    [
      'the name of a class, and whether it is one',
      'return [trade.constructor.name, trade?.constructor?.name, trade.constructor === Object, ' +
        'Object !== trade.at?.constructor, (Object === trade.constructor) || 1, ' +
        'Object === trade.constructor ? 1 : 2, trade.constructor != null && Array === trade.constructor];',
    ],
    [
      'a key that is compared with the word constructor',
      "const key = trade.id; switch (key) { case 'constructor': return 1; } " +
        "return key === 'constructor' || 'constructor' !== key ? 1 : 2;",
    ],
    ['Math', 'const { max, min } = Math; return max(1, min(2, Math.abs(trade.price)));'],
    ['names of its own', 'const Date = { now: () => 1 }; const process = 2; return Date.now() + process;'],
    ['properties of those names', 'return { fetch: 1, process: trade.price, Date: 3 }.fetch;'],
    ['such words in texts', "return 'Date.now() process.env await fetch'.length;"],
    ['a date as a kind of thing', 'return (trade as unknown) instanceof Date;'],
    ['types of those names', 'const at: Date | Promise<number> | undefined = undefined; return at;'],
    ['its own generators, sets and maps', 'return [...new Map([[1, new Set([2])]])].length;'],
  ])('%s', async (_, statement) => {
    expect((await load({ 's.ts': strategy(statement) })).definition.name).toBe('escapes');
  });

  it('pure modules of Node, operators of RxJS, and Date in a function that nobody calls', async () => {
    const text = strategy(
      'return join(String(of(1)), format(1));',
      "import { join } from 'node:path'; import { format } from 'node:util'; import { of } from 'rxjs';",
    );
    const unused = 'function unused() { return Date.now(); }\n';
    expect((await load({ 's.ts': text + unused })).definition.name).toBe('escapes');
  });

  it('our strategies', async () => {
    const names = (await nodeFiles.list(join(repository, 'strategies')))
      .map(({ name }) => name)
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'));
    expect(names.length).toBeGreaterThanOrEqual(3);
    for (const name of names) {
      await loadStrategy(join('strategies', name), {
        files: nodeFiles,
        cacheDirectory: cacheDirectory(),
        directory: repository,
      });
    }
  });
});
