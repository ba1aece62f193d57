import { describe, expect, it } from 'vitest';
import {
  crashAlert,
  endAlert,
  provenAlert,
  startAlert,
  stopAlert,
} from '../../../src/daemon/alerts/life-alerts.js';

const START = { pairs: ['A', 'B'], venue: 'https://venue.example', time: 5 };
const STOP = { kind: 'stop', by: 'cli', reason: 'tea', level: 'cancel' } as const;

describe('a start', () => {
  it('is worth a warning only after an end without order', () => {
    expect(startAlert({ ...START, wasUnclean: false })).toMatchObject({ severity: 'info', title: 'started' });
    expect(startAlert({ ...START, wasUnclean: true })).toMatchObject({ severity: 'warning', time: 5 });
    expect(startAlert({ ...START, wasUnclean: true }).lines).toEqual(['on https://venue.example: A, B']);
  });
});

describe('an end', () => {
  it('is as urgent as what it leaves at the venue', () => {
    expect(stopAlert(STOP, { left: [] }, 0)).toMatchObject({ severity: 'info', title: 'stopped (cancel)' });
    const recycled = stopAlert({ kind: 'recycle', reason: 'memory' }, { left: [], kept: ['A: stop 18'] }, 0);
    expect(recycled).toMatchObject({
      severity: 'warning',
      title: 'ends in order, to be started anew',
      lines: ['reason: memory', 'kept at the venue: A: stop 18'],
    });
    expect(stopAlert(STOP, { left: ['17'] }, 0)).toMatchObject({ severity: 'critical' });
    expect(stopAlert(STOP, { left: ['17'] }, 0).lines).toContain('orders left: 17');
    // What is left because somebody wanted it so is no alarm.
    expect(stopAlert({ ...STOP, level: 'leave' }, { left: ['17'] }, 0).severity).toBe('info');
    expect(crashAlert(new Error('boom'), { left: [] }, 0)).toMatchObject({
      severity: 'critical',
      lines: ['boom'],
    });
    expect(crashAlert(new Error('boom'), { left: ['17'], kept: ['A: stop 18'] }, 0).lines).toEqual([
      'boom',
      'kept at the venue: A: stop 18',
      'orders left: 17',
    ]);
  });

  it('that leaves a position without its stop says so, whoever ended it', () => {
    const bare = ['A: the position is left WITHOUT ITS STOP'];
    expect(stopAlert(STOP, { left: [], bare }, 0)).toMatchObject({ severity: 'warning' });
    const panic = { isPanic: true, level: 'cancel', reason: 'fire', unproven: [], bare };
    for (const alert of [
      stopAlert(STOP, { left: [], bare }, 0),
      provenAlert({ kind: 'dead' }, { level: 'cancel', bare }, 0),
      endAlert(panic, 0),
    ]) {
      expect(alert.lines).toContain(bare[0]);
    }
  });

  it('by somebody who then closes what is held says so', () => {
    const { severity, title } = stopAlert({ ...STOP, thenFlat: true }, { left: [] }, 0);
    expect([severity, title]).toEqual(['info', 'stopped (cancel) by tickwright stop --flat']);
    const bare = ['A: the position is left WITHOUT ITS STOP'];
    expect(stopAlert({ ...STOP, thenFlat: true }, { left: [], bare }, 0)).toMatchObject({
      severity: 'info',
      lines: expect.arrayContaining([
        'until tickwright stop --flat has closed it: A: the position is left WITHOUT ITS STOP',
      ]) as unknown,
    });
  });

  it('that was to be flat says so only when it is', () => {
    const flat = { ...STOP, level: 'flat' } as const;
    expect(stopAlert(flat, { left: [] }, 0)).toMatchObject({ severity: 'info', title: 'stopped (flat)' });
    const unproven = stopAlert(flat, { left: ['A: that the position is flat: 0.02 BTC are held'] }, 0);
    expect(unproven).toMatchObject({
      severity: 'critical',
      title: 'stopped, but not proven: orders or a position may still be at the venue',
    });
    expect(unproven.lines).toContain('not proven: A: that the position is flat: 0.02 BTC are held');
  });

  it('by panic says whether it is proven, and what is not', () => {
    const facts = { isPanic: true, level: 'flat', reason: 'fire', unproven: [] };
    expect(endAlert(facts, 0).title).toBe('panic (flat): ended, and halted until tickwright resume');
    const unproven = endAlert({ ...facts, unproven: ['A: position 0.5'] }, 0);
    expect(unproven.title).toBe('panic (flat): not proven');
    expect(unproven.lines).toEqual(['reason: fire', 'A: position 0.5']);
    // On a disk that takes nothing there is no halt, and whoever is not at the terminal must know.
    const unhalted = 'NOT halted, since no HALT could be written: what is started now may trade';
    expect(endAlert({ ...facts, halted: false }, 0).title).toBe(`panic (flat): ended, ${unhalted}`);
    const neither = endAlert({ ...facts, halted: false, unproven: ['A: position 0.5'] }, 0);
    expect(neither.title).toBe('panic (flat): not proven');
    expect(neither.lines).toEqual(['reason: fire', unhalted, 'A: position 0.5']);
  });
});
