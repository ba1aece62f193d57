import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LatencyQueue } from '../../../src/venue/tape/latency-queue.js';

describe('the latency queue', () => {
  it('gives out by time, then by order of sending, whatever comes and goes meanwhile', () => {
    const step = fc.oneof(
      fc.record({ delay: fc.integer({ min: 0, max: 20 }) }),
      fc.record({ take: fc.integer({ min: 1, max: 5 }) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const queue = new LatencyQueue<number>();
        /** What is on its way, as a list that is sorted anew each time; the sort is stable. */
        let expected: { item: number; time: number }[] = [];
        let sent = 0;
        for (const one of steps) {
          if ('delay' in one) {
            const item = ++sent;
            const time = sent + one.delay;
            queue.push(item, time);
            expected = [...expected, { item, time }].sort((a, b) => a.time - b.time);
          } else {
            for (let i = 0; i < one.take; i++) expect(queue.shift()).toBe(expected.shift()?.item);
          }
          expect(queue.size).toBe(expected.length);
          expect(queue.nextTime).toBe(expected[0]?.time ?? Number.POSITIVE_INFINITY);
        }
      }),
    );
  });
});
