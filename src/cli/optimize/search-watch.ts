import { objectiveOf, type ObjectiveName } from '../../backtest/search/objective.js';
import type { Texts } from '../../backtest/search/space.js';
import type { TrialEnd, TrialOutcome } from '../../backtest/search/trial.js';
import type { Machine } from '../machine.js';
import { settingsText } from '../view/optimize-view.js';

interface SearchPlan {
  readonly objective: ObjectiveName;
  /** Number of trials of each search. */
  readonly budget: number;
  readonly folds: number;
}

/** Shows the progress and the best trial so far on a terminal. */
export class SearchWatch {
  readonly #machine: Machine;
  readonly #plan: SearchPlan;
  readonly #startedAt: number;
  #fold: number | undefined;
  #inPart = 0;
  #best: { readonly texts: Texts; readonly score: number } | undefined;
  /** Number of trials so far, in all searches. */
  count = 0;

  constructor(machine: Machine, plan: SearchPlan) {
    this.#machine = machine;
    this.#plan = plan;
    this.#startedAt = machine.clock.monotonic();
  }

  /** Average since the first search began. */
  get runsPerSecond(): number {
    return this.count / this.#seconds;
  }

  get #seconds(): number {
    return (this.#machine.clock.monotonic() - this.#startedAt) / 1_000;
  }

  /** To be called when a search begins. */
  begin(fold: number | undefined): void {
    this.#fold = fold;
    this.#inPart = 0;
    this.#best = undefined;
  }

  tried(texts: Texts, end: TrialEnd): void {
    this.count++;
    this.#inPart++;
    if (end.kind === 'done') this.#see(texts, end.outcome);
    this.#show();
  }

  #see(texts: Texts, outcome: TrialOutcome): void {
    const score = objectiveOf(this.#plan.objective, outcome);
    if (score === undefined || (this.#best !== undefined && score <= this.#best.score)) return;
    this.#best = { texts, score };
  }

  #show(): void {
    const { area } = this.#machine;
    if (area === undefined) return;
    const { objective, budget, folds } = this.#plan;
    const part = this.#fold === undefined ? '' : `fold ${this.#fold} of ${folds}: `;
    const best = this.#best;
    area.show([
      `${part}${this.#inPart} of ${budget} trials, ${this.runsPerSecond.toFixed(1)} a second`,
      best === undefined
        ? `no ${objective} yet`
        : `best ${objective} ${best.score.toFixed(2)}: ${settingsText(best.texts)}`,
    ]);
  }
}
