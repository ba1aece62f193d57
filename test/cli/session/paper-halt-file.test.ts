/** The HALT file of a pair on paper. */
import { expect, it } from 'vitest';
import { onPaper } from './paper-session.js';

const HALT = '/state/USD_BTC_PERP/HALT';

it('halts a session on paper as a live one, until it is gone and somebody resumes', async () => {
  const { session, time, files, errors } = await onPaper(undefined, { haltFolder: '/state/USD_BTC_PERP' });
  const { controls } = session;
  await time.advance(5_000);
  expect(controls.standing()).toMatchObject({ state: 'SYNCED' });
  files.contents.set(HALT, Buffer.from('cancel lunch'));
  await time.advance(2_000);
  expect(controls.halts()).toEqual([{ level: 'cancel', reason: 'lunch', by: `HALT file ${HALT}` }]);
  expect(controls.standing()).toMatchObject({ state: 'HALTED', permission: 'cancel-only' });
  expect(errors).toEqual(['halted']);
  // While it is there, a resume is followed by another halt.
  controls.resume('back', 'anna');
  await time.advance(2_000);
  expect(controls.standing()).toMatchObject({ state: 'HALTED' });
  files.contents.delete(HALT);
  controls.resume('back', 'anna');
  await time.advance(5_000);
  expect(controls.standing()).toMatchObject({ state: 'SYNCED', permission: 'all' });
  // Nothing looks for it once the session has ended.
  await time.until(session.stop());
  files.contents.set(HALT, Buffer.from(''));
  await time.advance(5_000);
  expect(controls.halts()).toEqual([]);
});

it('is not looked for where the session has no folder of its own', async () => {
  const { session, time, files } = await onPaper();
  files.contents.set(HALT, Buffer.from(''));
  await time.advance(5_000);
  expect(session.controls.halts()).toEqual([]);
  await time.until(session.stop());
});
