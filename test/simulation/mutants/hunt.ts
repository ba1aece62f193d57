import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Fight, Sighting } from './arena.js';
import { type Bundle, bundleOf } from './bundle.js';
import type { Mutant } from './mutant.js';

/** Where the checker saw something, and what. */
export type Seen = Fight & Sighting;

/** How a mutant ended. */
export interface Hunted {
  /** Where it was seen first; `undefined` when it was not. */
  readonly killed: Seen | undefined;
  /** Runs until then, over all hunts. */
  readonly runs: number;
  /** Where a promise is broken without the mutant, too: these runs say nothing about it, and more than anybody likes. */
  readonly broken: readonly Seen[];
}

export interface HuntOptions {
  readonly root: string;
  /** Of each hunt. */
  readonly maxSeeds: number;
}

/** A run that takes longer than this does not end, ms of real time. */
const MOST_RUN_MS = 120_000;

/** Runs the mutant on seed after seed, from 1 on, until the checker sees it and does not see the same without it. */
export async function hunt(mutant: Mutant, { root, maxSeeds }: HuntOptions): Promise<Hunted> {
  const wrong = new Arena(await bundleOf(root, mutant));
  const right = new Arena(await bundleOf(root, { id: 'none', patches: [] }));
  const broken: Seen[] = [];
  let runs = 0;
  try {
    for (const terms of mutant.hunts) {
      for (let seed = 1; seed <= maxSeeds; seed++) {
        runs++;
        const fight = { ...terms, seed };
        const sighting = await wrong.run(fight);
        if (sighting === undefined) continue;
        const same = await right.run(fight);
        if (same === undefined) return { killed: { ...fight, ...sighting }, runs, broken };
        broken.push({ ...fight, ...same });
      }
    }
    return { killed: undefined, runs, broken };
  } finally {
    await wrong.close();
    await right.close();
  }
}

/** A thread with one version of the program, started when it is first needed. */
class Arena {
  readonly #bundle: Bundle;
  #worker: Worker | undefined;

  constructor(bundle: Bundle) {
    this.#bundle = bundle;
  }

  /** `undefined`: the version kept its promises in this run. */
  async run(fight: Fight): Promise<Sighting | undefined> {
    this.#worker ??= new Worker(this.#bundle.path);
    const over = new AbortController();
    const timer = setTimeout(() => over.abort(), MOST_RUN_MS);
    this.#worker.postMessage(fight);
    try {
      const [sighting] = await once(this.#worker, 'message', { signal: over.signal });
      return sighting as Sighting | undefined;
    } catch (error) {
      // A loop without end, or a program that broke the checker itself.
      await this.#worker.terminate();
      this.#worker = undefined;
      const what = over.signal.aborted ? `still runs after ${MOST_RUN_MS} ms` : String(error);
      return { invariant: 'failure', what };
    } finally {
      clearTimeout(timer);
    }
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
    this.#bundle.remove();
  }
}
