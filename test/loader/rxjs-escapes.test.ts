import { describe, expect, it } from 'vitest';
import { locateStrategyError } from '../../src/loader/strategy-error.js';
import { bindStrategy } from '../../src/strategy/instance.js';
import { projects, strategy } from './projects.js';

const { load, refusal } = projects('tickwright-rxjs-escapes-');

describe('operators of RxJS that wait', () => {
  it.each([
    ["import { delay } from 'rxjs';", 'of(1).pipe(delay(10));', 'delay() without a scheduler'],
    ["import { interval as ticks } from 'rxjs';", 'ticks(1_000);', 'interval() without a scheduler'],
    [
      "import { interval } from 'rxjs';",
      "const o = { 'a-b': interval(1_000), 'c-d': 1 }; o;",
      'interval() without a scheduler',
    ],
    [
      "import { debounceTime } from 'rxjs/operators';",
      'of(1).pipe(debounceTime(f(1, 2)));',
      'debounceTime()',
    ],
    ["import * as rx from 'rxjs';", 'rx.timer(5);', 'timer() without a scheduler'],
    ["import { ReplaySubject } from 'rxjs';", 'new ReplaySubject(1, 500);', 'ReplaySubject() by a window'],
    [
      "import * as rx from 'rxjs';",
      'new rx.ReplaySubject(f(1, 2), 500, undefined);',
      'ReplaySubject() by a window',
    ],
    [
      "import { ReplaySubject as Kept } from 'rxjs';",
      'class Own extends Kept {} new Own();',
      'ReplaySubject itself',
    ],
    ["import { shareReplay } from 'rxjs';", 'of(1).pipe(shareReplay(1, 500));', 'shareReplay() by a window'],
    [
      "import { shareReplay } from 'rxjs/operators';",
      'of(1).pipe(shareReplay({ bufferSize: 1, windowTime: 500, refCount: true }));',
      'shareReplay() by a window',
    ],
    [
      "import { shareReplay } from 'rxjs';",
      'const how = { windowTime: 500 }; of(1).pipe(shareReplay(how));',
      'shareReplay() by a window',
    ],
    [
      "import { shareReplay } from 'rxjs';",
      'of(1).pipe(shareReplay({ "windowTime": 500 }));',
      'shareReplay() by a window',
    ],
    [
      "import { shareReplay } from 'rxjs';",
      'const share = shareReplay; of(1).pipe(share(1, 500));',
      'shareReplay itself',
    ],
    ["import { timer } from 'rxjs';", 'timer(0, 1000);', 'timer() without a scheduler'],
    ["import { timer } from 'rxjs';", 'timer(0, 60 * trade.price);', 'timer() without a scheduler'],
    ["import { timer } from 'rxjs';", 'timer(0, Math.max(1, 2));', 'timer() without a scheduler'],
    [
      "import { timer } from 'rxjs';",
      'const a = 5, step = 1_000; timer(a, step);',
      'timer() without a scheduler',
    ],
    [
      "import { timer } from 'rxjs';",
      'const every = (step = 9) => timer(0, step); every();',
      'timer() without',
    ],
    ["import { timer } from 'rxjs';", 'timer(0, 1000, undefined);', 'timer() without a scheduler'],
    ["import { delay } from 'rxjs';", 'of(1).pipe(delay(...[10, context.scheduler]));', 'delay() without'],
    ["import * as rx from 'rxjs';", 'rx.bufferTime(60_000, 30_000);', 'bufferTime() without a scheduler'],
    ["import { bufferTime } from 'rxjs';", 'bufferTime(9, null, 5);', 'bufferTime() without a scheduler'],
    ["import { windowTime } from 'rxjs';", 'windowTime(9, 3);', 'windowTime() without a scheduler'],
    [
      "import { throttleTime } from 'rxjs';",
      'throttleTime(9, undefined, { leading: true });',
      'throttleTime() without a scheduler',
    ],
    [
      "import { timeInterval } from 'rxjs/operators';",
      'timeInterval();',
      'timeInterval() without a scheduler',
    ],
    ["import { timestamp } from 'rxjs';", 'timestamp(undefined);', 'timestamp() without a scheduler'],
    ["import { timeout } from 'rxjs';", 'timeout(60_000);', 'timeout() without a scheduler'],
    ["import { timeout } from 'rxjs';", 'timeout({ each: 60_000 });', 'timeout() without a scheduler'],
    [
      "import { timeout } from 'rxjs';",
      'const how = { each: 60_000 }; timeout(how);',
      'timeout() without a scheduler',
    ],
    ["import { timeout } from 'rxjs';", 'timeout();', 'timeout() without a scheduler'],
    ["import { timeout } from 'rxjs';", 'timeout(new Date(5));', 'timeout() without a scheduler'],
    [
      "import { timeout } from 'rxjs';",
      'const first = { each: 9 }; const how = first; timeout(how);',
      'timeout() without a scheduler',
    ],
    ["import { timeoutWith } from 'rxjs';", 'timeoutWith(9, of(1));', 'timeoutWith() without a scheduler'],
    ["import { debounceTime } from 'rxjs';", 'const calm = debounceTime; calm(9);', 'debounceTime itself'],
    ["import { debounceTime } from 'rxjs';", 'debounceTime?.(9);', 'debounceTime itself'],
    ["import * as rx from 'rxjs';", 'const { timer } = { timer: rx.timer }; timer(9);', 'timer itself'],
    ["import { timeout } from 'rxjs';", '[9].map(timeout);', 'timeout itself'],
    ["import { interval } from 'rxjs';", 'const o = { interval }; o.interval(9);', 'interval itself'],
    ["import { retry } from 'rxjs';", 'retry({ count: 3, delay: 1000 });', 'retry() with a delay in ms'],
    ["import { repeat } from 'rxjs';", 'repeat({ "delay": 1000 });', 'repeat() with a delay in ms'],
    ["import { retry } from 'rxjs';", 'const delay = 9; retry({ delay });', 'retry() with a delay in ms'],
    ["import { retry } from 'rxjs';", 'const how = { delay: 9 }; retry(how);', 'retry() with a delay in ms'],
    [
      "import { retry } from 'rxjs';",
      'const how = { delay: 9 }; how.count = 3; retry(how);',
      'retry() with a delay in ms',
    ],
  ])('%s %s is refused at its line', async (imports, statement, received) => {
    const text = `${imports} import { of } from 'rxjs'; const f = Math.max;`;
    const message = await refusal({ 's.ts': strategy(`f(1, 1); ${statement} of(1);`, text) });
    expect(message).toMatch(/^s\.ts:6:\d+: /);
    expect(message).toContain(received);
    expect(message).toContain('context.scheduler');
  });

  it.each([
    'new ReplaySubject(1), new ReplaySubject(), new ReplaySubject(2, 500, context.scheduler)',
    'shareReplay(), shareReplay(1), shareReplay({ bufferSize: 1, refCount: true }), shareReplay(trade.id.length)',
    'shareReplay({ windowTime: 500, scheduler: context.scheduler }), shareReplay(1, 500, context.scheduler)',
    'new ReplaySubject(1, Infinity), new ReplaySubject(1) instanceof ReplaySubject',
  ])('are none when they keep values by number, or by the time of events: %s', async (used) => {
    const imports = "import { ReplaySubject, shareReplay } from 'rxjs';";
    const loaded = await load({ 's.ts': strategy(`return [${used}].length;`, imports) });
    expect(loaded.definition.name).toBe('escapes');
  });

  it('are none where a text has their names', async () => {
    const imports = "import * as rx from 'rxjs'; import { shareReplay } from 'rxjs';";
    const statement = "return [rx.of('rx and shareReplay', 'windowTime'), shareReplay(1), 'rx-bot'].length;";
    expect((await load({ 's.ts': strategy(statement, imports) })).definition.name).toBe('escapes');
  });

  it('are none when they are given the scheduler of the session', async () => {
    const imports = "import { delay, interval, timer } from 'rxjs';";
    const statement =
      'return [delay(10, context.scheduler), interval(5, context.scheduler), timer(1, 2, context.scheduler)].length;';
    expect((await load({ 's.ts': strategy(statement, imports) })).definition.name).toBe('escapes');
  });

  it.each([
    'timer(5, context.scheduler), timer(5, undefined, context.scheduler), timer(0, trade.price, context.scheduler)',
    'bufferTime(9, context.scheduler), bufferTime(9, 3, context.scheduler), windowTime(9, null, 5, context.scheduler)',
    'throttleTime(9, context.scheduler, { leading: true }), timeoutWith(9, of(1), context.scheduler)',
    'timeout(9, context.scheduler), timeout({ each: 9 }, context.scheduler), timeout({ each: 9, scheduler: context.scheduler })',
    '((how) => timeout(how))({ each: 9, scheduler: context.scheduler }), ((clock) => timer(9, clock))(context.scheduler)',
    '(({ scheduler }) => [timer(9, scheduler), timeout({ first: 9, scheduler })])(context)',
    'timestamp(context.scheduler), timeInterval(context.scheduler), ((clock) => timestamp(clock))({ now: () => context.now })',
    'retry(), retry(3), repeat(2), retry({ count: 3 }), retry({ delay: () => timer(9, context.scheduler) })',
    'retry({ delay(error) { return of(error); } }), ((delay) => retry({ delay }))(() => of(1)), repeat({ delay: later })',
  ])('are none with the scheduler of the session where it belongs: %s', async (used) => {
    const imports =
      "import { bufferTime, of, repeat, retry, throttleTime, timeInterval, timeout, timeoutWith, timer, timestamp, windowTime } from 'rxjs';";
    const statement = `function later() { return of(1); } return [${used}, later].length;`;
    expect((await load({ 's.ts': strategy(statement, imports) })).definition.name).toBe('escapes');
  });

  it.each([
    'timeout(make(context.scheduler));',
    'timeout(trade.id > 1 ? make(context.scheduler) : { each: 5, scheduler: context.scheduler });',
    'const how = trade.id % 2 === 0 ? { each: 5, scheduler: context.scheduler } : { first: 5, scheduler: context.scheduler }; timeout(how);',
    'const how = { each: 5 }; how.scheduler = context.scheduler; timeout(how);',
    "const how = { each: 5 }; how['scheduler'] ??= context.scheduler; timeout(how);",
    'const $how = { each: 5 }; Object.assign($how, { scheduler: context.scheduler }); timeout($how);',
    'const how = Object.assign({}, { each: 5, scheduler: context.scheduler }); timeout(how);',
    'const first = { each: 5, scheduler: context.scheduler }; const how = first; timeout(how);',
  ])('are none where the text does not tell what they are given: %s', async (statement) => {
    const imports =
      "import { timeout } from 'rxjs'; const make = (scheduler: unknown) => ({ each: 5, scheduler });";
    expect((await load({ 's.ts': strategy(statement, imports) })).definition.name).toBe('escapes');
  });

  it('are none where a key, a method, a field or a remark has their names', async () => {
    const imports = "import { delay, of, retry, timer, timeout } from 'rxjs'; of(1).pipe(delay);";
    const clean = imports.replace('.pipe(delay)', '');
    const statement = `
      // delay and timer
      const own = { delay: 5, 'timer': 6, timeout(x) { return x; } };
      class Own { delay = 5; timer; #timer = 1; #delay; own() { return this.#timer + (this.#delay ?? 0); } static retry = 1; timeout(x) { return x; } get retry() { return 1; } }
      const { delay: wait, timer: at = 7 } = own;
      return [
        // retry
        /timer|["']/.test('timer'), [/delay/, trade.id / 2 / timer(1, context.scheduler)],
        wait + at, /* timeout */ own.timeout(1), new Own().retry, retry(2), own?.delay, Own.retry,
        ((timer) => timer)(1), timer(1, context.scheduler), timeout(1, context.scheduler), delay(1, context.scheduler),
      ].length;`;
    expect((await load({ 's.ts': strategy(statement, clean) })).definition.name).toBe('escapes');
    expect(await refusal({ 's.ts': strategy(statement, imports) })).toContain('received delay itself');
  });

  it('say how to wait between tries', async () => {
    const text = strategy('return retry({ delay: 9 });', "import { retry } from 'rxjs';");
    expect((await refusal({ 's.ts': text })).split('\n')[0]).toBe(
      's.ts:6:12: a strategy must wait between tries by delay: () => timer(ms, context.scheduler), received retry() with a delay in ms',
    );
  });
});

describe('what cannot be seen in the text does not wait either', () => {
  const REFUSED = /a strategy must pass context\.scheduler to operators of RxJS that wait or read the time/;
  const imports =
    "import { delay, of, ReplaySubject, retry, Subject, throwError, timeout, timer } from 'rxjs';";

  it.each([
    'timer(0, context.step).subscribe();',
    'of(1).pipe(delay(0, context.none)).subscribe();',
    'throwError(() => 1).pipe(retry({ count: 2, delay: context.step })).subscribe();',
    'new ReplaySubject(1, context.step, context.none).next(1);',
    'of(1).pipe(delay(0, context.none)).subscribe({ error() {} });',
    'const how = Object.assign({}, { each: 5 }); of(1).pipe(timeout(how)).subscribe();',
  ])('in a handler, which throws: %s', async (statement) => {
    // Names of the context say nothing to the reader of texts.
    const context = { step: 5, none: undefined } as never;
    const text = strategy(statement, imports);
    const { definition } = await load({ 's.ts': text });
    const handlers = bindStrategy(definition).start(context);
    expect(() => handlers.onTrade?.({} as never)).toThrow(REFUSED);
    expect(() => handlers.onTrade?.({} as never)).toThrow(REFUSED);
  });

  it('which tells its line, however deep in RxJS it is noticed', async () => {
    const loaded = await load({ 's.ts': strategy('timer(0, context.step).subscribe();', imports) });
    const handlers = bindStrategy(loaded.definition).start({ step: 5 } as never);
    let error: unknown;
    try {
      handlers.onTrade?.({} as never);
    } catch (cause) {
      error = cause;
    }
    expect(locateStrategyError(error, loaded)).toMatchObject({ file: 's.ts', line: 6 });
  });

  it('in handlers that are an object of a class', async () => {
    const text = `import { timer } from 'rxjs'; import { defineStrategy } from 'tickwright';
class Bot {
  waits = 0;
  onTrade(trade) { this.waits++; timer(0, trade.id).subscribe(); }
  onTimer() { return { kind: 'flat', waits: this.waits }; }
}
export default defineStrategy({ name: 'bot', create: () => new Bot() });
`;
    const { definition } = await load({ 's.ts': text });
    const handlers = bindStrategy(definition).start({} as never);
    expect(() => handlers.onTrade?.({} as never)).toThrow(REFUSED);
    expect(handlers.onTimer?.({} as never)).toEqual({ kind: 'flat', waits: 1 });
    expect(Object.keys(handlers)).toEqual(['onTrade', 'onTimer']);
  });
});
