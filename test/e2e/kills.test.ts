import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { runKills } from '../evidence/kill-runner.js';
import { SYNCED_BOUND_MS } from '../evidence/kills/scene.js';
import { asserted } from './machine-speed.js';
import { MAIN, withFolder } from './program.js';

it('a bot that is killed -9 while it trades through faults loses no record, doubles no order, and is SYNCED again each time', () =>
  withFolder(async (cwd) => {
    // Of this seed some kills strike while the process starts, and some while an order is under way.
    const result = await runKills({
      kills: 6,
      seed: 8,
      program: MAIN,
      folder: join(cwd, 'kills'),
      syncedWithinMs: asserted(SYNCED_BOUND_MS),
    });
    expect(result.problems).toEqual([]);
    expect(result).toMatchObject({
      kills: 6,
      lostRecords: 0,
      duplicates: 0,
      unprepared: 0,
      unknown: 0,
      phantom: 0,
      misjudged: 0,
      notSynced: 0,
      wrongEnds: 0,
      provenEnds: 1,
      secrets: 0,
    });
    expect(result.orders).toBeGreaterThan(0);
    expect(result.fills).toBeGreaterThan(0);
    expect(result.syncedMs.length).toBeGreaterThan(2);
  }));

it('a start that the venue refuses is followed by another one, and is no fault', () =>
  withFolder(async (cwd) => {
    const program = join(cwd, 'refused.mjs');
    const marker = join(cwd, 'was-refused');
    mkdirSync(cwd, { recursive: true });
    writeFileSync(
      program,
      `import { existsSync, writeFileSync } from 'node:fs';
       if (process.argv[2] === 'run' && !existsSync(${JSON.stringify(marker)})) {
         writeFileSync(${JSON.stringify(marker)}, '');
         process.stderr.write('error: the venue at http://127.0.0.1:1: GET /pairs was answered 503\\n');
         process.exit(1);
       }
       process.argv[1] = ${JSON.stringify(MAIN)};
       await import(${JSON.stringify(pathToFileURL(MAIN).href)});`,
    );
    const { problems, refusedStarts, kills } = await runKills({
      kills: 1,
      seed: 8,
      program,
      folder: join(cwd, 'kills'),
      syncedWithinMs: asserted(SYNCED_BOUND_MS),
    });
    expect({ problems, refusedStarts, kills }).toEqual({ problems: [], refusedStarts: 1, kills: 1 });
  }));

it('a bot that prints its key is found out', () =>
  withFolder(async (cwd) => {
    const folder = join(cwd, 'kills');
    const program = join(cwd, 'telling.mjs');
    mkdirSync(cwd, { recursive: true });
    writeFileSync(
      program,
      `if (process.argv[2] === 'run') process.stderr.write(process.env.TICKWRIGHT_VENUE__API_KEY + '\\n');
       process.argv[1] = ${JSON.stringify(MAIN)};
       await import(${JSON.stringify(pathToFileURL(MAIN).href)});`,
    );
    const { secrets, problems } = await runKills({
      kills: 1,
      seed: 8,
      program,
      folder,
      syncedWithinMs: asserted(SYNCED_BOUND_MS),
    });
    expect(secrets).toBeGreaterThan(0);
    expect(problems).toContainEqual(expect.stringContaining('the key or the secret was printed'));
  }));
