import { describe, expect, it } from 'vitest';
import type { Alert } from '../../../src/daemon/alerts/alert.js';
import { AlertLine, type LineOptions } from '../../../src/daemon/alerts/alert-line.js';
import { createScrubber } from '../../../src/platform/scrubber.js';
import { SILENT } from '../../../src/ports/log.js';
import { VirtualTime } from '../../support/virtual-time.js';
import { Receiver } from './receiver.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

function lineTo(options: Partial<LineOptions> = {}, secrets: readonly string[] = []) {
  const time = new VirtualTime();
  const receiver = new Receiver(() => time.now);
  const scrubber = createScrubber(secrets);
  const line = new AlertLine(
    {
      notifier: receiver,
      on: undefined,
      minSeverity: 'info',
      repeatMs: 10 * MINUTE,
      perHour: 10,
      ...options,
    },
    {
      clock: time.clock,
      timers: time.timers,
      log: SILENT,
      source: 'live my-bot',
      scrub: (text) => scrubber.scrub(text),
    },
  );
  return { time, receiver, line };
}

function problem(title: string, more: Partial<Alert> = {}): Alert {
  const rest = { phase: 'event', lines: [], time: 0 } as const;
  return { kind: 'problem', severity: 'warning', key: title, title, ...rest, ...more };
}
const outage = (phase: 'begin' | 'end') =>
  problem(phase === 'begin' ? 'down' : 'up', { kind: 'venue', severity: 'critical', key: 'venue', phase });

describe('what a receiver wants', () => {
  it('is all but fills and refusals where it names nothing, from its severity on', async () => {
    const { line, receiver, time } = lineTo({ minSeverity: 'warning' });
    line.tell(problem('a fill', { kind: 'fill', severity: 'critical' }));
    line.tell(problem('a refusal', { kind: 'refusal', severity: 'critical' }));
    line.tell(problem('too little', { severity: 'info' }));
    line.tell(problem('enough'));
    line.tell(problem('more', { severity: 'critical' }));
    await time.advance(1);
    expect(receiver.titles).toEqual(['enough', 'more']);
  });

  it('is what it names, and the summary that it has a time for', async () => {
    const { line, receiver, time } = lineTo({ on: ['fill'], minSeverity: 'info' });
    line.tell(problem('a fill', { kind: 'fill', severity: 'info' }));
    line.tell(problem('a problem', { severity: 'critical' }));
    line.tell(problem('the day', { kind: 'summary', severity: 'info' }));
    await time.advance(1);
    expect(receiver.titles).toEqual(['a fill', 'the day']);
  });
});

describe('the same cause', () => {
  it('is told once, counted, and told again with its count when the time is over', async () => {
    const { line, receiver, time } = lineTo();
    for (let times = 0; times < 6; times++) line.tell(problem('disk'));
    await time.advance(10 * MINUTE - 1);
    expect(receiver.titles).toEqual(['disk']);
    await time.advance(2);
    expect(receiver.titles).toEqual(['disk', 'disk']);
    expect(receiver.notices[1]?.lines).toEqual(['it happened 5 times more since the last alert of it']);
  });

  it('is told half as often each time that it goes on, and as news after a quiet time', async () => {
    const { line, receiver, time } = lineTo();
    const at: number[] = [];
    for (let minute = 0; minute < 75; minute++) {
      line.tell(problem('disk'));
      await time.advance(MINUTE);
      while (at.length < receiver.notices.length) at.push(minute);
    }
    // Told at 0; the windows are 10, 20 and 40 minutes long.
    expect(at).toEqual([0, 9, 29, 69]);
    await time.advance(6 * HOUR);
    const before = receiver.notices.length;
    line.tell(problem('disk'));
    await time.advance(1);
    expect(receiver.notices).toHaveLength(before + 1);
    expect(receiver.notices.at(-1)?.lines).toEqual([]);
  });

  it('does not hide another one', async () => {
    const { line, receiver, time } = lineTo();
    line.tell(problem('disk'));
    line.tell(problem('clock'));
    await time.advance(1);
    expect(receiver.titles).toEqual(['disk', 'clock']);
  });

  it('is news again after what ends all of its kind', async () => {
    const { line, receiver, time } = lineTo();
    line.tell(problem('halted', { key: 'halt pause' }));
    line.tell(problem('resumed', { key: undefined, forgets: 'halt ' }));
    line.tell(problem('halted', { key: 'halt pause' }));
    await time.advance(1);
    expect(receiver.titles).toEqual(['halted', 'resumed', 'halted']);
  });
});

describe('a state', () => {
  it('has one alert for its beginning and one for its end', async () => {
    const { line, receiver, time } = lineTo();
    line.tell(outage('begin'));
    await time.advance(3 * HOUR);
    line.tell(outage('end'));
    await time.advance(3 * HOUR);
    expect(receiver.notices.map(({ title, phase }) => [title, phase])).toEqual([
      ['down', 'begin'],
      ['up', 'end'],
    ]);
  });

  it('has no end where its beginning was not told', async () => {
    const { line, receiver, time } = lineTo();
    line.tell(outage('end'));
    await time.advance(HOUR);
    expect(receiver.titles).toEqual([]);
  });

  it('that comes and goes all the time is told as one that stands, and as over once it is quiet, with how often it was', async () => {
    const { line, receiver, time } = lineTo();
    for (let times = 0; times < 5; times++) {
      line.tell(outage('begin'));
      line.tell(outage('end'));
      await time.advance(MINUTE);
    }
    await time.advance(9 * MINUTE - 1);
    expect(receiver.titles).toEqual(['down', 'up', 'down']);
    await time.advance(1);
    expect(receiver.titles).toEqual(['down', 'up', 'down', 'up']);
    expect(receiver.notices.map(({ lines }) => lines)).toEqual([
      [],
      [],
      [],
      ['it happened 3 times more since the last alert of it'],
    ]);
  });

  it('that begins again after its end was told is told at once, however soon', async () => {
    const { line, receiver, time } = lineTo();
    line.tell(outage('begin'));
    await time.advance(MINUTE);
    line.tell(outage('end'));
    for (const minutes of [10, 20, 40, 80]) {
      await time.advance(MINUTE);
      line.tell(outage('begin'));
      await time.advance(1);
      expect(receiver.titles.at(-1)).toBe('down');
      await time.advance(minutes * MINUTE);
      line.tell(outage('end'));
      await time.advance(1);
      // It stood for as long as its cause is told once in: that is no flapping.
      expect(receiver.titles.at(-1)).toBe('up');
    }
  });
});

describe('the hour', () => {
  it('tells of those that it held back before it ends', async () => {
    const { line, receiver, time } = lineTo({ perHour: 2 });
    for (let index = 0; index < 5; index++) line.tell(problem(`problem ${index}`));
    await time.until(line.close(3_000), 1);
    expect(receiver.titles.slice(2)).toEqual(['3 alerts were held back: there were more than 2 in an hour']);
    expect(receiver.notices.at(-1)?.lines).toEqual(['problem 2', 'problem 3', 'problem 4']);
    expect(time.pending).toBe(0);
  });

  it('holds so many alerts, and then one digest of those that were held back', async () => {
    const { line, receiver, time } = lineTo({ perHour: 3 });
    const fill = (title: string) => problem(title, { key: undefined });
    for (const title of ['a', 'b', 'c', 'd', 'd', 'e']) line.tell(fill(title));
    await time.advance(HOUR - 1);
    expect(receiver.titles).toEqual(['a', 'b', 'c']);
    await time.advance(2);
    expect(receiver.titles.slice(3)).toEqual(['3 alerts were held back: there were more than 3 in an hour']);
    expect(receiver.notices[3]?.lines).toEqual(['2 × d', 'e']);
    expect(receiver.notices[3]?.severity).toBe('warning');
  });

  it('has room of its own for what is critical', async () => {
    const { line, receiver, time } = lineTo({ perHour: 1 });
    line.tell(problem('a', { key: undefined }));
    line.tell(problem('b', { key: undefined }));
    line.tell(problem('worst', { key: undefined, severity: 'critical' }));
    await time.advance(1);
    expect(receiver.titles).toEqual(['a', 'worst']);
  });

  it('holds back nothing that says how all of it stands: halts, resumes, the venue, the end', async () => {
    const { time, receiver, line } = lineTo({ perHour: 3 });
    for (let index = 0; index < 20; index++) line.tell(problem(`pair ${index}`, { severity: 'critical' }));
    const grave = ['halt', 'resume', 'venue', 'stop'] as const;
    for (const kind of grave) line.tell(problem(kind, { kind, severity: 'critical' }));
    await time.advance(1);
    expect(receiver.titles).toEqual(['pair 0', 'pair 1', 'pair 2', ...grave]);
  });

  it('never lets more than its number through, whatever comes', async () => {
    const { line, receiver, time } = lineTo({ perHour: 5 });
    for (let second = 0; second < 3 * 3_600; second += 10) {
      line.tell(problem(`p${second}`, { key: undefined }));
      await time.advance(10_000);
    }
    const times = receiver.attempts.map(({ at }) => at);
    for (const start of times) {
      expect(times.filter((at) => at >= start && at < start + HOUR).length).toBeLessThanOrEqual(5);
    }
    expect(times.length).toBeGreaterThan(5);
  });
});

describe('delivery', () => {
  const failed = { kind: 'failed', reason: 'no answer', retryAfterMs: undefined } as const;

  it('is tried again, later and later, in order, and never twice at a time', async () => {
    const { line, receiver, time } = lineTo();
    receiver.answers.push(failed, failed, failed);
    line.tell(problem('a'));
    line.tell(problem('b'));
    await time.advance(7_001);
    expect(receiver.attempts).toEqual([
      { title: 'a', at: 0 },
      { title: 'a', at: 1_000 },
      { title: 'a', at: 3_000 },
      { title: 'a', at: 7_000 },
      { title: 'b', at: 7_000 },
    ]);
    expect(receiver.titles).toEqual(['a', 'b']);
  });

  it('waits as long as the receiver asks for', async () => {
    const { line, receiver, time } = lineTo();
    receiver.answers.push({ ...failed, retryAfterMs: 90_000 });
    line.tell(problem('a'));
    await time.advance(90_001);
    expect(receiver.attempts.map(({ at }) => at)).toEqual([0, 90_000]);
  });

  it('goes on after what a receiver will never take', async () => {
    const { line, receiver, time } = lineTo();
    receiver.answers.push({ kind: 'refused', reason: 'no' });
    line.tell(problem('a'));
    line.tell(problem('b'));
    await time.advance(1);
    expect(receiver.titles).toEqual(['b']);
  });

  it('survives an outage of hours, and gives up what is a day old', async () => {
    const { line, receiver, time } = lineTo({ perHour: 1_000 });
    receiver.answers.push(...Array.from({ length: 2_000 }, () => failed));
    line.tell(problem('old'));
    await time.advance(25 * HOUR);
    line.tell(problem('new'));
    receiver.answers.length = 0;
    await time.advance(MINUTE);
    expect(receiver.titles).toEqual(['new']);
  });

  it('holds a hundred that wait, drops what matters least, and says how many', async () => {
    const { line, receiver, time } = lineTo({ perHour: 1_000 });
    receiver.answers.push(failed);
    for (let n = 0; n < 60; n++) {
      line.tell(problem(`w${n}`));
      line.tell(problem(`c${n}`, { severity: 'critical' }));
    }
    await time.advance(0);
    expect(line.trouble?.waiting).toBe(100);
    await time.advance(2_000);
    expect(receiver.notices[0]?.lines.at(-1)).toBe('20 alerts before it were dropped');
    // The one that was on its way stayed; of the others the oldest that are not critical went.
    expect(receiver.titles[0]).toBe('w0');
    expect(receiver.titles.filter((title) => title.startsWith('c'))).toHaveLength(60);
    expect(receiver.titles).not.toContain('w20');
    expect(receiver.titles).toContain('w21');
    expect(line.trouble).toBeUndefined();
  });

  it('says of what was dropped while one was under way, too', async () => {
    const { line, receiver, time } = lineTo({ perHour: 1_000 });
    let arrives: () => void = () => undefined;
    receiver.answers.push(
      new Promise((resolve) => {
        arrives = () => resolve({ kind: 'delivered' });
      }),
    );
    for (let n = 0; n <= 100; n++) line.tell(problem(`w${n}`));
    arrives();
    await time.advance(1);
    expect(receiver.titles.slice(0, 2)).toEqual(['w0', 'w2']);
    expect(receiver.notices.slice(0, 3).map(({ lines }) => lines)).toEqual([
      [],
      ['1 alert before it was dropped'],
      [],
    ]);
  });

  it('at the end has its grace, and nothing leaves after it', async () => {
    const { line, receiver, time } = lineTo();
    receiver.answers.push({ kind: 'failed', reason: 'no answer', retryAfterMs: 60_000 });
    line.tell(problem('a'));
    await time.advance(1);
    await time.until(line.close(3_000), 1);
    expect(receiver.titles).toEqual(['a']);
    expect(receiver.isClosed).toBe(true);

    const other = lineTo();
    other.receiver.answers.push(new Promise<never>(() => undefined));
    other.line.tell(problem('never taken'));
    await other.time.advance(1);
    await other.time.until(other.line.close(3_000), 3_000);
    expect(other.receiver.isClosed).toBe(true);
    expect(other.time.pending).toBe(0);
  });
});

describe('the text', () => {
  it('is one short line each, without control characters and without secrets', async () => {
    const { line, receiver, time } = lineTo({}, ['canary-secret']);
    line.tell(
      problem('bad\nSUBJECT: forged \u202e \x1b[31m', {
        lines: [
          `key canary-secret, ${Buffer.from('canary-secret').toString('base64')}`,
          'x'.repeat(5_000),
          ' \n ',
        ],
      }),
    );
    await time.advance(1);
    const [notice] = receiver.notices;
    expect(notice?.title).toBe('bad SUBJECT: forged [31m');
    expect(notice?.lines).toHaveLength(2);
    expect(notice?.lines[0]).toBe('key [redacted], [redacted]A==');
    expect(notice?.lines[1]).toHaveLength(400);
    expect(notice?.source).toBe('live my-bot');
  });
});
