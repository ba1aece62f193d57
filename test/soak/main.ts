/**
 * `npm run soak`: what a daemon keeps of memory, sockets, timers and disk over time. Never in CI: it takes an hour.
 *
 *   npm run soak -- --days 30          virtual days of ten pairs with faults; after SIGTERM the day that runs is the last
 *   npm run soak -- --minutes 20       real minutes of two pairs at a poll of 200 ms, on Linux
 *
 * Exit code 1 when a bound of the virtual days is missed.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { currentCommit } from '../evidence/sources.js';
import { missedBounds, type SoakResult, soakPage } from './page.js';
import { soakRealTime } from './real-time.js';
import { serveParent } from './venue-child.js';
import { soakVirtual } from './virtual.js';

const { values } = parseArgs({
  options: {
    days: { type: 'string' },
    pairs: { type: 'string', default: '10' },
    poll: { type: 'string', default: '60000' },
    minutes: { type: 'string' },
    /** Writes `docs/soak.json` and `docs/soak.md`. */
    publish: { type: 'boolean', default: false },
    /** This process is the venue of a virtual soak. */
    venue: { type: 'string' },
    pipes: { type: 'string', default: '' },
  },
});
const DATA = 'docs/soak.json';
if (values.venue === undefined) await soak();
else serveParent(Number(values.venue), values.pipes);

async function soak(): Promise<void> {
  let result: SoakResult = {};
  let isEnough = false;
  const measured = { on: new Date().toISOString().slice(0, 10), commit: currentCommit().id.slice(0, 12) };
  process.once('SIGTERM', () => {
    isEnough = true;
  });
  if (values.days !== undefined) {
    const virtual = await soakVirtual({
      days: Number(values.days),
      pairs: Number(values.pairs),
      pollMs: Number(values.poll),
      onDay: (day) => process.stderr.write(`${JSON.stringify(day)}\n`),
      isEnough: () => isEnough,
    });
    result = { ...result, virtual: { ...measured, ...virtual } };
  }
  if (values.minutes !== undefined) {
    const real = await soakRealTime({ minutes: Number(values.minutes), pollMs: 200, everyMs: 5_000 });
    result = { ...result, real: { ...measured, ...real } };
  }
  process.stdout.write(`${JSON.stringify(result, undefined, 2)}\n`);
  if (values.publish) publish(result);
  const missed = missedBounds(result);
  for (const each of missed) process.stderr.write(`missed: ${each}\n`);
  process.exit(missed.length === 0 ? 0 : 1);
}

/** What was run now, and what was published of the rest. */
function publish(result: SoakResult): void {
  const before = existsSync(DATA) ? (JSON.parse(readFileSync(DATA, 'utf8')) as SoakResult) : {};
  const all = { ...before, ...result };
  writeFileSync(DATA, `${JSON.stringify(all, undefined, 2)}\n`);
  writeFileSync('docs/soak.md', soakPage(all));
}
