import { describe, expect, it } from 'vitest';
import type { BoardMessage, Link } from '../../../src/daemon/dashboard/board.js';
import { type Answer, Feed } from '../../../src/daemon/dashboard/feed.js';
import { VirtualTime } from '../../support/virtual-time.js';
import { statusFacts } from './facts.js';

type Handlers = Parameters<ConstructorParameters<typeof Feed>[0]['stream']>[0];
type Answers = (path: string) => Answer | undefined | Promise<Answer>;

const SESSION: Answer = { status: 200, body: { scope: 'control', csrf: 'c' } };
const status = (given = {}) => JSON.stringify(statusFacts(given));

/** A page on a virtual clock. `answers` gives `undefined` where nothing answers. */
function page(answers: Answers = (path) => (path === '/api/session' ? SESSION : { status: 200, body: [] })) {
  const time = new VirtualTime();
  const told: BoardMessage[] = [];
  const asked: string[] = [];
  const streams: { handlers: Handlers; isOpen: boolean }[] = [];
  const script = { answers };
  const feed = new Feed(
    {
      stream: (handlers) => {
        const stream = { handlers, isOpen: true };
        streams.push(stream);
        return () => {
          stream.isOpen = false;
        };
      },
      get: (path) => {
        asked.push(path);
        const answer = script.answers(path);
        return answer === undefined ? Promise.reject(new Error('nothing there')) : Promise.resolve(answer);
      },
      after: (ms, task) => time.timers.after(ms, task),
      now: () => time.now,
    },
    (message) => told.push(message),
  );
  return {
    time,
    told,
    asked,
    streams,
    script,
    feed,
    get links(): readonly Link['state'][] {
      return told.flatMap((message) => (message.kind === 'link' ? [message.link.state] : []));
    },
    get statuses() {
      return told.filter((message) => message.kind === 'status');
    },
    get stream(): Handlers {
      const stream = streams.at(-1);
      if (stream === undefined) throw new Error('there must be a stream');
      return stream.handlers;
    },
    /** Connects, and hears a status each second for so long. */
    async hear(seconds: number) {
      for (let i = 0; i < seconds; i++) {
        this.stream.onData(status());
        await time.advance(1_000);
      }
    },
    async open() {
      feed.start();
      await time.advance(0);
      this.stream.onOpen();
      this.stream.onData(status());
      await time.advance(0);
    },
  };
}

describe('a page that opens', () => {
  it('learns what it may do, listens, and asks for what happened before', async () => {
    const test = page();
    await test.open();
    expect(test.links).toEqual(['connecting', 'open']);
    expect(test.told).toContainEqual({ kind: 'access', access: { scope: 'control', csrf: 'c' } });
    expect(test.asked.map((path) => path.split('&')[0])).toEqual([
      '/api/session',
      '/api/recent?kind=fill',
      '/api/recent?kind=log',
      '/api/recent?kind=refusal',
      '/api/recent?kind=change',
      '/api/recent?kind=equity',
    ]);
  });

  it('may only read unless it has what a change needs', async () => {
    const test = page((path) =>
      path === '/api/session' ? { status: 200, body: { scope: 'control' } } : { status: 200, body: [] },
    );
    await test.open();
    expect(test.told).toContainEqual({ kind: 'access', access: { scope: 'read', csrf: undefined } });
  });

  it('says that it is signed out, and then leaves the daemon alone', async () => {
    const test = page(() => ({ status: 401, body: { error: 'a token is needed' } }));
    test.feed.start();
    await test.time.advance(600_000);
    expect(test.links).toEqual(['connecting', 'over']);
    expect(test.asked).toHaveLength(1);
    expect(test.time.pending).toBe(0);
  });

  it('keeps trying with growing pauses while nobody answers', async () => {
    const test = page(() => undefined);
    test.feed.start();
    await test.time.advance(60_000);
    // Tries at 0, 0.5, 1.5, 3.5, 7.5, 15.5, 30.5, 45.5 s.
    expect(test.asked).toHaveLength(8);
    expect(test.links.at(-1)).toBe('lost');
  });
});

describe('a stream that breaks', () => {
  it('is opened again, and what happened meanwhile is asked for', async () => {
    const test = page();
    await test.open();
    await test.hear(20);
    const before = test.asked.length;
    test.stream.onEnd();
    expect(test.links.at(-1)).toBe('lost');
    await test.time.advance(500);
    expect(test.streams).toHaveLength(2);
    test.stream.onOpen();
    await test.time.advance(0);
    expect(test.links.at(-1)).toBe('open');
    expect(test.asked.slice(before)).toHaveLength(6);
  });

  it('is not listened to any more', async () => {
    const test = page();
    await test.open();
    const [first] = test.streams;
    test.stream.onEnd();
    await test.time.advance(1_000);
    const count = test.told.length;
    first?.handlers.onData(status());
    first?.handlers.onEnd();
    expect(test.told).toHaveLength(count);
    expect(first?.isOpen).toBe(false);
  });

  it('waits longer each time when it never holds', async () => {
    const test = page();
    test.feed.start();
    const opens: number[] = [];
    for (let i = 0; i < 7; i++) {
      while (test.streams.length === i) await test.time.advance(100);
      opens.push(test.time.now);
      test.stream.onEnd();
    }
    const pauses = opens.slice(1).map((at, index) => at - (opens[index] ?? 0));
    expect(pauses).toEqual([500, 1_000, 2_000, 4_000, 8_000, 15_000]);
  });
});

describe('a stream that is silent', () => {
  it('is asked about, and a hung engine is shown with the age of its last word', async () => {
    const test = page();
    await test.open();
    await test.hear(3);
    test.script.answers = (path) =>
      path === '/healthz'
        ? { status: 503, body: { alive: false, silentMs: test.time.now - 2_000 } }
        : { status: 200, body: statusFacts({ state: 'hung' }) };
    await test.time.advance(10_000);
    const last = test.statuses.at(-1);
    expect(last).toMatchObject({ kind: 'status', status: { state: 'hung' } });
    expect(last?.kind === 'status' ? last.at - last.silentMs : undefined).toBe(2_000);
    // It goes on listening: the engine may come back.
    expect(test.streams).toHaveLength(1);
    expect(test.links.at(-1)).toBe('open');
  });

  it('is lost when nobody answers', async () => {
    const test = page();
    await test.open();
    test.script.answers = () => undefined;
    await test.time.advance(4_000);
    expect(test.links).toContain('lost');
    expect(test.streams[0]?.isOpen).toBe(false);
  });

  it('is opened anew when the engine is well', async () => {
    const test = page();
    await test.open();
    test.script.answers = (path) => {
      if (path === '/api/session') return SESSION;
      if (path === '/healthz') return { status: 200, body: { alive: true, silentMs: 20 } };
      return { status: 200, body: path === '/api/status' ? statusFacts() : [] };
    };
    await test.time.advance(12_000);
    expect(test.streams.length).toBeGreaterThan(1);
  });

  it('that begins with a hung engine asks how old its facts are', async () => {
    const test = page((path) => {
      if (path === '/api/session') return SESSION;
      if (path === '/healthz') return { status: 503, body: { silentMs: 7_000 } };
      return { status: 200, body: path === '/api/status' ? statusFacts({ state: 'hung' }) : [] };
    });
    test.feed.start();
    await test.time.advance(0);
    test.stream.onOpen();
    test.stream.onData(status({ state: 'hung' }));
    await test.time.advance(0);
    expect(test.statuses).toMatchObject([{ at: 0, silentMs: 7_000 }]);
  });

  it('that speaks again knows more than an answer to what was asked before', async () => {
    const test = page();
    await test.open();
    const held: (() => void)[] = [];
    test.script.answers = (path) =>
      new Promise((resolve) => {
        const body = path === '/healthz' ? { silentMs: 9_000 } : statusFacts({ state: 'hung' });
        held.push(() => resolve({ status: 200, body }));
      });
    test.stream.onData(status({ state: 'hung' }));
    await test.time.advance(500);
    expect(held).toHaveLength(2);
    test.stream.onData(status({ state: 'running' }));
    for (const answer of held) answer();
    await test.time.advance(500);
    expect(test.statuses.at(-1)?.status.state).toBe('running');
  });

  it('that speaks while the page asks is not lost, though no answer comes', async () => {
    const test = page();
    await test.open();
    const refused: (() => void)[] = [];
    test.script.answers = () =>
      new Promise((_, reject) => {
        refused.push(() => reject(new Error('too slow')));
      });
    await test.time.advance(4_000);
    expect(refused).toHaveLength(2);
    test.stream.onData(status());
    for (const refuse of refused) refuse();
    await test.hear(2);
    expect(test.links).toEqual(['connecting', 'open']);
    expect(test.streams[0]?.isOpen).toBe(true);
  });

  it('of a session that ended meanwhile is over', async () => {
    const test = page();
    await test.open();
    test.script.answers = () => ({ status: 401, body: { error: 'a token is needed' } });
    await test.time.advance(600_000);
    expect(test.links.at(-1)).toBe('over');
    expect(test.streams.every(({ isOpen }) => !isOpen)).toBe(true);
  });
});

it('a page that is left holds no timer and no stream', async () => {
  const test = page();
  await test.open();
  test.feed.stop();
  expect(test.time.pending).toBe(0);
  expect(test.streams[0]?.isOpen).toBe(false);
});
