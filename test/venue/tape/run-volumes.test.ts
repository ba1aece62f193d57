import { describe, expect, it } from 'vitest';
import { RunVolumes } from '../../../src/venue/tape/run-volumes.js';

/** `count` finished runs of sellers, each of `lots` in one print, and one open run of buyers at the end. */
function sell(volumes: RunVolumes, count: number, lots: number): void {
  for (let run = 0; run < count; run++) {
    volumes.print(100, lots, true);
    volumes.print(101, 1, false);
  }
}

describe('run volumes', () => {
  it('are unknown with 19 finished runs and known with 20', () => {
    const volumes = new RunVolumes();
    sell(volumes, 19, 7);
    expect(volumes.sold).toBeUndefined();
    volumes.print(100, 7, true);
    expect(volumes.sold, 'the 20th run is still open').toBeUndefined();
    volumes.print(101, 1, false);
    expect(volumes.sold).toBe(7);
  });

  it('add up the prints of one aggressor at one price', () => {
    const volumes = new RunVolumes();
    sell(volumes, 19, 4);
    for (const lots of [1, 2, 21]) volumes.print(100, lots, true);
    volumes.print(101, 1, false);
    expect(volumes.sold).toBe((19 * 4 + 24) / 20);
  });

  it('end a run at another price', () => {
    const volumes = new RunVolumes();
    for (let step = 0; step <= 20; step++) volumes.print(100 + (step % 2), step + 1, true);
    // 21 runs, the last one (21 lots) still open: the mean of 1 … 20
    expect(volumes.sold).toBe(10.5);
    expect(volumes.bought).toBeUndefined();
  });

  it('end a run at a print of the other aggressor at the same price, which begins one of its own', () => {
    const volumes = new RunVolumes();
    for (let run = 0; run < 20; run++) {
      volumes.print(100, 6, true);
      volumes.print(100, 2, false);
    }
    expect(volumes.sold).toBe(6);
    expect(volumes.bought, 'its 20th run is open').toBeUndefined();
    volumes.print(100, 1, true);
    expect(volumes.bought).toBe(2);
  });

  it('count a price again as a new run when something printed in between', () => {
    const volumes = new RunVolumes();
    sell(volumes, 10, 3);
    sell(volumes, 10, 5);
    expect(volumes.sold).toBe(4);
  });

  it('remember the last 500 runs only', () => {
    const volumes = new RunVolumes();
    sell(volumes, 300, 1_000);
    sell(volumes, 499, 10);
    expect(volumes.sold).toBe((1_000 + 499 * 10) / 500);
    sell(volumes, 1, 10);
    expect(volumes.sold).toBe(10);
  });

  it('say which prints begin a run', () => {
    const volumes = new RunVolumes();
    const begun = [
      volumes.print(100, 1, true),
      volumes.print(100, 1, true),
      volumes.print(100, 1, false),
      volumes.print(101, 1, false),
      volumes.print(101, 1, false),
    ];
    expect(begun).toEqual([true, false, true, true, false]);
  });
});
