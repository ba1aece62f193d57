import { expect, it } from 'vitest';
import { endAll } from '../../../src/cli/daemon/end-all.js';

it('every part of an end is done, in order, and what fails is logged', async () => {
  const done: string[] = [];
  const logged: unknown[] = [];
  await endAll({ error: (text, facts) => logged.push(text, facts) }, [
    () => Promise.reject(new Error('the socket is gone')),
    () => {
      throw new Error('no timer');
    },
    () => void done.push('key'),
    () => Promise.resolve(done.push('state')),
  ]);
  expect(done).toEqual(['key', 'state']);
  expect(logged).toEqual([
    'a part of the end failed',
    { reason: 'the socket is gone' },
    'a part of the end failed',
    { reason: 'no timer' },
  ]);
});
