import { expect, it } from 'vitest';
import type { Delivery, Notice, Notifier } from '../../../src/daemon/alerts/notifier.js';
import { Outbox } from '../../../src/daemon/alerts/outbox.js';
import { SILENT } from '../../../src/ports/log.js';
import { VirtualTime } from '../../support/virtual-time.js';

const NOTICE: Notice = {
  kind: 'problem',
  severity: 'warning',
  phase: 'event',
  title: 'a problem',
  lines: [],
  time: 0,
  source: 'live my-bot',
};
/** More attempts than the test waits for: a loop of microtasks would never let it end. */
const ENDLESS = 1_000;

it('a notifier that rejects is asked again only after the pause', async () => {
  const time = new VirtualTime();
  const attempts: number[] = [];
  const notifier: Notifier = {
    name: 'broken',
    send: () => {
      attempts.push(time.now);
      return attempts.length < ENDLESS
        ? Promise.reject(new Error('https://ntfy.example/secret'))
        : new Promise<Delivery>(() => undefined);
    },
    close: () => Promise.resolve(),
  };
  const outbox = new Outbox({ notifier, clock: time.clock, timers: time.timers, log: SILENT });
  outbox.post(NOTICE);
  await new Promise((resolve) => setImmediate(resolve));
  expect(attempts).toEqual([0]);
  expect(outbox.trouble).toMatchObject({ reason: 'it cannot be sent', waiting: 1, lost: 0 });
  await time.advance(3_000);
  expect(attempts).toEqual([0, 1_000, 3_000]);
});
