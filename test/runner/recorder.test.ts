import { describe, expect, it } from 'vitest';
import type { Refusal } from '../../src/model/command.js';
import { HttpFailure, type HttpResponse, type HttpTransport } from '../../src/ports/http.js';
import { Recorder } from '../../src/runner/black-box/recorder.js';
import type { Turn } from '../../src/runner/black-box/turn.js';
import { VirtualTime } from '../support/virtual-time.js';

const OK: HttpResponse = { status: 200, headers: {}, body: '{}' };
const get = (path: string) => ({
  method: 'GET' as const,
  url: `http://venue.invalid${path}`,
  headers: { 'x-api-key': 'a key', 'x-signature': 'a signature' },
  deadlineMs: 1_000,
});

function box(exchange: HttpTransport['exchange']) {
  const time = new VirtualTime();
  const turns: Turn[] = [];
  const strays: string[] = [];
  const recorder = new Recorder({
    clock: time.clock,
    timers: time.timers,
    transport: { exchange, close: () => Promise.resolve() },
    scrub: (text) => text.replaceAll('a secret', '[redacted]'),
    onTurn: (turn) => turns.push(turn),
    onStray: ({ message }) => strays.push(message),
  });
  return { time, turns, strays, recorder };
}

describe('a recorder', () => {
  it('gives each of two answers that arrive at once a turn of its own, with all that follows from it', async () => {
    const arrived: ((response: HttpResponse) => void)[] = [];
    const { time, turns, recorder } = box(() => new Promise((resolve) => arrived.push(resolve)));
    const order: string[] = [];
    await recorder.start(() => {
      for (const name of ['a', 'b']) {
        const follow = async () => {
          await recorder.transport.exchange(get(`/${name}`));
          order.push(`${name}1`);
          await Promise.resolve();
          order.push(`${name}2`);
        };
        void follow();
      }
      return Promise.resolve();
    });
    await time.advance(10);
    for (const arrive of arrived) arrive(OK);
    await time.advance(10);
    expect(order).toEqual(['a1', 'a2', 'b1', 'b2']);
    expect(turns.map(({ cause }) => cause)).toEqual([
      { kind: 'start' },
      { kind: 'answer', request: 1, ...OK },
      { kind: 'answer', request: 2, ...OK },
    ]);
  });

  describe('with answers that wait for their turn', () => {
    const say = (notional: number) => ({ kind: 'others', notional, openOrders: 0, pnl: 0 }) as const;

    /** Two answers that arrive at 10 ms, and then `words`; a timer of the session fires in the same ms. */
    async function busy(
      words: readonly number[],
      onWord: (cancelTimer: () => void) => void = () => undefined,
    ) {
      const arrived: ((response: HttpResponse) => void)[] = [];
      const { time, turns, recorder } = box(() => new Promise((resolve) => arrived.push(resolve)));
      let cancelTimer: () => void = () => undefined;
      time.timers.after(10, () => {
        for (const arrive of arrived) arrive(OK);
      });
      time.timers.after(10, () => {
        for (const word of words) {
          void recorder.command(say(word), () => Promise.resolve(onWord(cancelTimer)));
        }
      });
      await recorder.start(() => {
        void recorder.transport.exchange(get('/a'));
        void recorder.transport.exchange(get('/b'));
        cancelTimer = recorder.timers.after(10, () => undefined);
        return Promise.resolve();
      });
      await time.advance(20);
      return turns.map(({ cause }) => {
        if (cause.kind === 'command') return cause.command.kind === 'others' ? cause.command.notional : '';
        return cause.kind === 'answer' ? `answer ${cause.request}` : cause.kind;
      });
    }

    it('what the account has become comes first, so that none of them is decided on what it was', async () => {
      expect(await busy([5_000, 8_000])).toEqual(['start', 'answer 1', 5_000, 8_000, 'timer', 'answer 2']);
    });

    it('a timer does not fire that somebody has canceled before its turn', async () => {
      const causes = await busy([5_000, 8_000], (cancelTimer) => cancelTimer());
      expect(causes).toEqual(['start', 'answer 1', 5_000, 8_000, 'answer 2']);
    });

    it('a timer waits for none of them', async () => {
      expect(await busy([])).toEqual(['start', 'answer 1', 'timer', 'answer 2']);
    });
  });

  it('shows one moment all through a turn', async () => {
    const { time, turns, recorder } = box(() => Promise.resolve(OK));
    const seen: number[] = [];
    await recorder.start(() => {
      recorder.timers.after(7, () => {
        seen.push(recorder.clock.monotonic());
        void Promise.resolve().then(() => seen.push(recorder.clock.monotonic()));
      });
      return Promise.resolve();
    });
    await time.advance(100);
    expect(seen).toEqual([7, 7]);
    expect(turns.at(-1)).toMatchObject({ cause: { kind: 'timer', timer: 1 }, monotonic: 7 });
    expect(recorder.clock.monotonic()).toBe(100);
  });

  it('keeps keys, signatures and cookies out, and secrets that the venue repeats away from the session', async () => {
    const { time, turns, recorder } = box(() =>
      Promise.resolve({
        status: 429,
        headers: { 'retry-after': '2', 'set-cookie': 'a cookie' },
        body: '{"msg":"who is a secret?"}',
      }),
    );
    const heard: HttpResponse[] = [];
    const started = recorder.start(async () => {
      heard.push(await recorder.transport.exchange(get('/time')));
    });
    await time.until(started);
    const text = JSON.stringify([turns, heard]);
    for (const secret of ['a key', 'a signature', 'a cookie', 'a secret']) expect(text).not.toContain(secret);
    expect(heard).toEqual([
      { status: 429, headers: { 'retry-after': '2' }, body: '{"msg":"who is [redacted]?"}' },
    ]);
  });

  it.each<[HttpResponse['headers'], HttpResponse['headers']]>([
    [
      { location: 'https://login.invalid/a secret/page?token=a+cookie#top', 'x-id': 'a cookie' },
      { location: 'https://login.invalid/[redacted]/page' },
    ],
    [{ 'content-encoding': 'gzip', server: 'a gateway' }, { 'content-encoding': 'gzip' }],
  ])('lets the session read why an answer cannot be read: %j', async (headers, kept) => {
    const { time, turns, recorder } = box(() => Promise.resolve({ status: 302, headers, body: '' }));
    const heard: HttpResponse[] = [];
    const started = recorder.start(async () => {
      heard.push(await recorder.transport.exchange(get('/time')));
    });
    await time.until(started);
    await time.advance(1);
    expect(heard).toEqual([{ status: 302, headers: kept, body: '' }]);
    expect(turns.at(-1)?.cause).toEqual({ kind: 'answer', request: 1, ...heard[0] });
  });

  it('keeps what a request failed of', async () => {
    const { time, turns, recorder } = box(() => Promise.reject(new HttpFailure('reset', true, 'broken')));
    const failures: unknown[] = [];
    const started = recorder.start(() =>
      recorder.transport.exchange(get('/time')).catch((error) => failures.push(error)),
    );
    await time.until(started);
    await time.advance(1);
    expect(failures).toEqual([new HttpFailure('reset', true, 'broken')]);
    expect(turns.at(-1)?.cause).toEqual({
      kind: 'failure',
      request: 1,
      reason: 'reset',
      sent: true,
      message: 'broken',
    });
  });

  it('asks whether a request may still leave in a turn of its own, after what people have said by then', async () => {
    const { time, turns, recorder } = box(({ mayLeave }) => {
      // While the turn that sent it is still open.
      mayLeave?.((may) => heard.push(`it may: ${may}`));
      return new Promise(() => undefined);
    });
    const heard: string[] = [];
    await recorder.start(() => {
      const mayLeave = (answer: (may: boolean) => void) => {
        heard.push('asked');
        answer(false);
      };
      void recorder.transport.exchange({ ...get('/auth/order'), mayLeave });
      return Promise.resolve();
    });
    const halt = { kind: 'halt', level: 'cancel', reason: 'enough', by: 'anna' } as const;
    const said = recorder.command(halt, () => Promise.resolve(heard.push('halted')));
    await time.until(said);
    await time.advance(1);
    expect(heard).toEqual(['halted', 'asked', 'it may: false']);
    expect(turns.map(({ cause }) => cause)).toEqual([
      { kind: 'start' },
      { kind: 'command', command: halt },
      { kind: 'connected', request: 1 },
    ]);
  });

  it('describes what was done when the turn is over, in the order in which it was done', async () => {
    const { time, turns, recorder } = box(() => Promise.resolve(OK));
    const done: string[] = [];
    const refusal: Refusal = {
      kind: 'refusal',
      intentId: 1,
      pair: 'USD_BTC_PERP',
      rule: 'lot',
      asked: '1',
      bound: '2',
      get reason() {
        done.push('described');
        return 'lot: for a test';
      },
      want: undefined,
    };
    await recorder.start(() => {
      recorder.observer.decision?.(1, [], [refusal], []);
      void recorder.transport.exchange(get('/time'));
      done.push('sent');
      return Promise.resolve();
    });
    await time.advance(1);
    expect(done).toEqual(['sent', 'described']);
    expect(turns[0]?.did.map((deed) => Object.keys(JSON.parse(deed) as object)[0])).toEqual([
      'decision',
      'request',
    ]);
  });

  it('notices when the session waits for something that is not recorded', async () => {
    const { time, turns, strays, recorder } = box(() => Promise.resolve(OK));
    const started = recorder.start(async () => {
      await time.sleep(5); // a file, say
      void recorder.transport.exchange(get('/time'));
    });
    await time.until(started);
    expect(strays).toEqual(['a session must act in a turn only, received it after turn 1']);
    expect(turns.flatMap(({ did }) => did)).toEqual([]);
  });

  it('is only a way through once the session is over', async () => {
    const { time, turns, strays, recorder } = box(() => Promise.resolve(OK));
    await recorder.start(() => Promise.resolve());
    const finished = recorder.finish();
    await time.advance(1);
    await finished;
    await recorder.transport.exchange(get('/time'));
    expect([turns.length, strays.length]).toEqual([1, 0]);
  });
});
