import { join } from 'node:path';
import type { KillCounts, KillEvidence } from '../evidence.js';
import { KILL_FIGURES, runKills } from '../kill-runner.js';
import type { KillResult } from '../kills/result.js';
import type { Store } from '../store.js';

/** So many for each venue and journal: a run that is interrupted loses no more than these. */
const KILLS_A_RUN = 25;

export interface KillWork {
  readonly store: Store<KillResult>;
  /** In all, those of earlier runs included. */
  readonly kills: number;
  /** Venues and bots at the same time. */
  readonly lanes: number;
  readonly program: string;
  readonly folder: string;
  readonly isOver: () => boolean;
  readonly onRun: (done: number) => void;
}

export async function killMany({
  store,
  kills,
  lanes,
  program,
  folder,
  isOver,
  onRun,
}: KillWork): Promise<void> {
  let planned = killsOf(store.results);
  let seed = Math.max(0, ...store.results.map((run) => run.seed));
  const lane = async () => {
    while (planned < kills && !isOver()) {
      const own = ++seed;
      const count = Math.min(KILLS_A_RUN, kills - planned);
      planned += count;
      const result = await runKills({
        kills: count,
        seed: own,
        program,
        folder: join(folder, `kills-${own}`),
        isOver,
      });
      store.add(result);
      onRun(killsOf(store.results));
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

function killsOf(runs: readonly KillResult[]): number {
  return runs.reduce((sum, { kills }) => sum + kills, 0);
}

export function killFigures(
  runs: readonly KillResult[],
): Pick<KillEvidence, 'counts' | 'figures' | 'seeds' | 'syncedMs' | 'problems'> {
  const counts: Record<string, number> = {};
  for (const { seed: _, syncedMs: __, problems: ___, ...run } of runs) {
    for (const [name, count] of Object.entries(run)) counts[name] = (counts[name] ?? 0) + count;
  }
  const times = runs.flatMap(({ syncedMs }) => syncedMs).sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(share * times.length))] ?? 0;
  return {
    counts: counts as unknown as KillCounts,
    figures: KILL_FIGURES,
    seeds: runs.map(({ seed }) => seed),
    syncedMs: { count: times.length, p50: at(0.5), p99: at(0.99), max: times.at(-1) ?? 0 },
    problems: runs.flatMap(({ seed, problems }) => problems.map((problem) => `seed ${seed}, ${problem}`)),
  };
}
