/** A paper session whose capture cannot be written any more. */
import { expect, it } from 'vitest';
import { onPaper } from './paper-session.js';

it('trades on, and says that its capture has stopped and why', async () => {
  let isFull = false;
  const { session, prices, warnings, time } = await onPaper(() =>
    isFull ? Promise.reject(new Error('ENOSPC: no space left on device, write')) : Promise.resolve(),
  );
  await prices(60_000, 5);
  expect([session.controls.unrecorded(), warnings]).toEqual([undefined, []]);
  isFull = true;
  await prices(60_000, 5);
  isFull = false;
  await prices(60_000, 5);
  expect(session.controls.unrecorded()).toBe('ENOSPC: no space left on device, write');
  expect(warnings).toEqual(['the capture has stopped; trading goes on']);
  expect(session.core.isLive).toBe(true);
  const { captureFailure } = await time.until(session.stop());
  expect(captureFailure?.message).toBe('ENOSPC: no space left on device, write');
});
