import { expect, test } from 'vitest';
import { tellingWhenInterrupted } from '../../../src/cli/stop/interrupted-stop.js';
import type { StopSignal } from '../../../src/ports/signals.js';

function process() {
  const said: string[] = [];
  const listeners = new Set<(signal: StopSignal) => void>();
  return {
    said,
    listeners,
    send: (signal: StopSignal) => {
      for (const listener of listeners) listener(signal);
    },
    interruption: {
      signals: {
        onStop: (listener: (signal: StopSignal) => void) => {
          listeners.add(listener);
          return () => void listeners.delete(listener);
        },
      },
      write: (text: string) => Promise.resolve(void said.push(text)),
      exit: (code: number) => void said.push(`exit ${code}`),
    },
  };
}

const settled = () => new Promise((done) => setImmediate(done));
const never = () => new Promise<never>(() => undefined);

test.each([
  [
    ['USD_BTC_PERP: orders 17'],
    'interrupted, so nothing is proven: by its journals the venue may have USD_BTC_PERP: orders 17. The same command goes on.\n',
  ],
  [
    [],
    'interrupted, so nothing is proven: its journals know of nothing at the venue. The same command goes on.\n',
  ],
])('a stop that is interrupted says what may be left: %j', async (left, text) => {
  const { said, send, interruption } = process();
  void tellingWhenInterrupted(() => Promise.resolve(left), never, undefined, interruption);
  send('SIGINT');
  await settled();
  expect(said).toEqual([text, 'exit 130']);
});

test('journals that cannot be read are said, and the process ends all the same', async () => {
  const { said, send, interruption } = process();
  void tellingWhenInterrupted(
    () => Promise.reject(new Error('no such disk')),
    never,
    undefined,
    interruption,
  );
  send('SIGTERM');
  await settled();
  expect(said).toEqual([expect.stringContaining('cannot be read: Error: no such disk'), 'exit 143']);
});

test('those who are not at the terminal are told before the process ends, whose terminal may be gone', async () => {
  const { said, send, interruption } = process();
  const write = () => Promise.reject(new Error('EPIPE'));
  const tell = (left: readonly string[]) => Promise.resolve(void said.push(`told ${left.join()}`));
  const left = () => Promise.resolve(['USD_BTC_PERP: orders 17']);
  void tellingWhenInterrupted(left, never, tell, { ...interruption, write });
  send('SIGHUP');
  await settled();
  expect(said).toEqual(['told USD_BTC_PERP: orders 17', 'exit 129']);
});

test('work that ends while the journals are read is told by its own words', async () => {
  const { said, send, interruption } = process();
  let read: (left: readonly string[]) => void = () => undefined;
  let end: () => void = () => undefined;
  const work = tellingWhenInterrupted(
    () => new Promise<readonly string[]>((resolve) => (read = resolve)),
    () => new Promise<void>((resolve) => (end = resolve)),
    undefined,
    interruption,
  );
  send('SIGINT');
  end();
  await work;
  read([]);
  await settled();
  expect(said).toEqual([]);
});

test('a second signal waits for no journal', () => {
  const { said, send, interruption } = process();
  void tellingWhenInterrupted(never, never, undefined, interruption);
  send('SIGINT');
  expect(said).toEqual([]);
  send('SIGINT');
  expect(said).toEqual(['exit 130']);
});

test('work that ends or fails is no longer interrupted by it', async () => {
  const { listeners, interruption } = process();
  const left = () => Promise.resolve([]);
  await expect(tellingWhenInterrupted(left, () => Promise.resolve(7), undefined, interruption)).resolves.toBe(
    7,
  );
  await expect(
    tellingWhenInterrupted(left, () => Promise.reject(new Error('broken')), undefined, interruption),
  ).rejects.toThrow('broken');
  expect(listeners.size).toBe(0);
});
