import { expect, it } from 'vitest';
import { legibleBooks } from '../../src/runner/legible-books.js';
import { segmentPath } from '../../src/storage/journal/journal-layout.js';
import { acceptedOf, checkpointOf, endOf, prepOf } from '../support/intents.js';
import { journalDesk } from '../support/journals.js';

const PAIR = 'USD_BTC_PERP';
const TEXT = new TextDecoder('latin1');

async function written() {
  const desk = journalDesk();
  const { journal } = await desk.open();
  const records = [
    checkpointOf(14),
    prepOf('s1-1'),
    acceptedOf('s1-1', '1'),
    prepOf('s1-2'),
    acceptedOf('s1-2', '2'),
    prepOf('s1-3'),
    acceptedOf('s1-3', '3'),
    endOf('s1-2', '2'),
  ];
  for (const record of records) journal.append(record, 'durable');
  await journal.close();
  return desk;
}

const openIn = ({ books }: Awaited<ReturnType<typeof legibleBooks>>) =>
  books.openOrders(PAIR).map(({ orderId }) => orderId);

it('are all there is where the journal is whole', async () => {
  const { files, directory } = await written();
  const found = await legibleBooks(files, directory);
  expect(found.lack).toBeUndefined();
  expect(openIn(found)).toEqual(['1', '3']);
  expect(found.books.position(PAIR)).toBe(14);
});

it('have the orders on both sides of a damage, say that it is there, and no position', async () => {
  const { files, directory, segment, put } = await written();
  const bytes = segment().slice();
  // Inside of the second order's acceptance.
  const at = TEXT.decode(bytes).indexOf('accepted', TEXT.decode(bytes).indexOf('s1-2'));
  bytes[at] = (bytes[at] as number) ^ 1;
  put(bytes);
  const found = await legibleBooks(files, directory);
  expect(found.lack).toContain(segmentPath(directory, 1));
  expect(openIn(found)).toEqual(['1', '3']);
  expect(found.books.intent('s1-2')?.stage).toBe('sent');
  expect(found.books.position(PAIR)).toBeUndefined();
});

it('are empty where nothing can be read', async () => {
  const { files, directory, put } = await written();
  put(new Uint8Array(500).fill(7));
  const found = await legibleBooks(files, directory);
  expect(openIn(found)).toEqual([]);
});
