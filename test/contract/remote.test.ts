import { expect, it } from 'vitest';
import { CARDS } from './cards/index.js';
import { localServer } from './doors/raw-http.js';
import { remoteDoor, type RemoteOptions } from './doors/remote.js';
import { keysOf } from './quiet-venue.js';
import { runCard, type Verdict } from './run-card.js';

async function against(options: Omit<RemoteOptions, 'url'>): Promise<ReadonlyMap<string, Verdict>> {
  const { server } = await localServer();
  const door = remoteDoor({ ...options, url: server.url });
  const verdicts = new Map<string, Verdict>();
  for (const card of CARDS) verdicts.set(card.id, await runCard(card, door));
  await door.close();
  await server.close();
  return verdicts;
}

const idsOf = (verdicts: ReadonlyMap<string, Verdict>, kind: Verdict['kind']) =>
  [...verdicts].filter(([, verdict]) => verdict.kind === kind).map(([id]) => id);

it('at a base address, the cards that only read public data run, and the others say why they do not', async () => {
  const verdicts = await against({ write: false });
  expect(idsOf(verdicts, 'fail')).toEqual([]);
  expect(idsOf(verdicts, 'pass')).toEqual(
    CARDS.filter(({ needs }) => needs.length === 0).map(({ id }) => id),
  );
  expect(verdicts.get('TC-700')).toEqual({ kind: 'skip', reason: 'reads an account: give --key' });
  expect(verdicts.get('TC-702')).toEqual({ kind: 'skip', reason: 'reads an account: give --key' });
});

it('with a key the account is read, and nothing is placed unless that is asked for', async () => {
  const verdicts = await against({ ...keysOf('anna'), write: false });
  expect(idsOf(verdicts, 'fail')).toEqual([]);
  expect(idsOf(verdicts, 'pass')).toEqual(expect.arrayContaining(['TC-700', 'TC-701']));
  expect(verdicts.get('TC-702')).toEqual({ kind: 'skip', reason: 'places orders: give --write' });
});

it('when it is asked for, orders are placed and taken back', async () => {
  const verdicts = await against({ ...keysOf('anna'), write: true });
  expect(idsOf(verdicts, 'fail')).toEqual([]);
  expect(idsOf(verdicts, 'pass')).toEqual(expect.arrayContaining(['TC-702', 'TC-703', 'TC-704']));
});

it('a venue that answers otherwise fails the cards that say so', async () => {
  const { server } = await localServer();
  const door = remoteDoor({ url: `${server.url}/elsewhere`, write: false });
  const reads = CARDS.filter(({ needs }) => needs.length === 0);
  const verdicts = [];
  for (const card of reads) verdicts.push((await runCard(card, door)).kind);
  await door.close();
  await server.close();
  // TC-002 and TC-021 look for refusals, which are all there is.
  expect(verdicts.filter((kind) => kind === 'pass').length).toBeLessThanOrEqual(3);
});
