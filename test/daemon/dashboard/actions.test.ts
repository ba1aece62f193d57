import { describe, expect, it } from 'vitest';
import { offered, refusalOf, requestOf, wordOf } from '../../../src/daemon/dashboard/actions.js';
import { statusFacts } from './facts.js';

const halted = statusFacts({
  state: 'halted',
  halted: { level: 'cancel', reason: 'a test', by: 'anna', mark: 'm1' },
});

describe('an action', () => {
  it('is offered when it can change something', () => {
    expect(offered(undefined)).toEqual([]);
    expect(offered(statusFacts())).toEqual(['pause', 'cancel', 'flatten', 'stop']);
    expect(offered(halted)).toEqual(['resume', 'cancel', 'flatten', 'stop']);
    // One pair is, the others trade.
    expect(offered({ ...halted, state: 'running' })).toEqual([
      'resume',
      'pause',
      'cancel',
      'flatten',
      'stop',
    ]);
  });

  it('wants its level typed back', () => {
    expect(wordOf('pause', statusFacts(), 'cancel')).toBe('pause');
    expect(wordOf('flatten', statusFacts(), 'cancel')).toBe('flatten');
    expect(wordOf('stop', statusFacts(), 'flat')).toBe('flat');
    expect(wordOf('resume', halted, 'flat')).toBe('cancel');
    expect(wordOf('resume', statusFacts(), 'flat')).toBeUndefined();
  });

  it('is asked for with its reason, what was typed, and its level where it has one', () => {
    const { path, body } = requestOf({ name: 'stop', confirm: 'flat', reason: '  done for today ' });
    expect(path).toBe('/api/stop');
    expect(JSON.parse(body)).toEqual({ reason: 'done for today', confirm: 'flat', level: 'flat' });
    expect(JSON.parse(requestOf({ name: 'pause', confirm: 'pause', reason: 'lunch' }).body)).toEqual({
      reason: 'lunch',
      confirm: 'pause',
    });
  });

  it('ends what was latched when it was shown, and names that', () => {
    const { body } = requestOf({ name: 'resume', confirm: 'cancel', reason: 'seen', mark: 'm1' });
    expect(JSON.parse(body)).toEqual({ reason: 'seen', confirm: 'cancel', level: 'cancel', mark: 'm1' });
  });

  it('was done when the daemon says so, else what it says is told', () => {
    expect(refusalOf(200, {})).toBeUndefined();
    expect(refusalOf(400, { error: "confirm must be 'flat'" })).toBe("confirm must be 'flat'");
    expect(refusalOf(503, undefined)).toBe('the daemon answered 503');
  });
});
