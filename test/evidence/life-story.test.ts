import { expect, it } from 'vitest';
import type { JournalRecord } from '../../src/model/journal-record.js';
import { LifeStory } from './kills/life-story.js';

const start = (session: string): JournalRecord => ({
  kind: 'start',
  session,
  wall: 0,
  engine: '0',
  hashes: {},
});
const state = (is: 'BOOT' | 'SYNCED' | 'SUSPECT'): JournalRecord => ({
  kind: 'state',
  pair: 'A',
  state: is,
  reason: '',
  time: 0,
});

it('a life was SYNCED once it has said so, whatever came after it', () => {
  const life = new LifeStory();
  life.read([start('one'), state('BOOT')]);
  expect([life.session, life.wasSynced]).toEqual(['one', false]);
  life.read([state('SYNCED')]);
  life.read([]);
  life.read([state('SUSPECT')]);
  expect(life.wasSynced).toBe(true);
});

it('what an earlier life wrote last is not said of the one after it', () => {
  const life = new LifeStory();
  life.read([state('SYNCED')]);
  expect([life.session, life.wasSynced]).toEqual(['', false]);
  life.read([state('SYNCED'), start('two'), state('BOOT')]);
  expect([life.session, life.wasSynced]).toEqual(['two', false]);
});
