import { expect, it } from 'vitest';
import { VenueReach } from '../../src/daemon/venue-reach.js';

type Pairs = Parameters<VenueReach['look']>[0];

const pairs = (...looks: readonly { readonly isRunning: boolean; readonly silentMs?: number }[]) =>
  looks.map(({ isRunning, silentMs }) => ({ managed: { isRunning }, silentMs })) as unknown as Pairs;

it('is lost when no running pair hears of the venue, and there again when one of them does', () => {
  const reach = new VenueReach();
  expect(reach.look(pairs({ isRunning: true }, { isRunning: true, silentMs: 31_000 }))).toBeUndefined();
  expect(
    reach.look(pairs({ isRunning: true, silentMs: 30_000 }, { isRunning: true, silentMs: 31_000 })),
  ).toEqual({ reachable: false, reason: 'no poll was answered for 30 s' });
  expect(reach.look(pairs({ isRunning: true, silentMs: 40_000 }))).toBeUndefined();
  expect(reach.look(pairs({ isRunning: true }))).toEqual({
    reachable: true,
    reason: 'polls are answered again',
  });
});

it('stays as it was while no pair runs, since nobody asks', () => {
  const reach = new VenueReach();
  expect(reach.look(pairs({ isRunning: false }))).toBeUndefined();
  expect(reach.look(pairs({ isRunning: true, silentMs: 30_000 }))).toMatchObject({ reachable: false });
  expect(reach.look(pairs({ isRunning: false }))).toBeUndefined();
  expect(reach.look([])).toBeUndefined();
  expect(reach.look(pairs({ isRunning: true, silentMs: 90_000 }))).toBeUndefined();
  expect(reach.look(pairs({ isRunning: true }))).toMatchObject({ reachable: true });
});
