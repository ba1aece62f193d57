import { Sha256 } from '../../model/digest.js';
import type { WorldFact } from '../../model/world-fact.js';
import { marketSpecOf } from '../market-spec.js';

/**
 * SHA-256 of facts as lines of JSON, in their order: the inputs of a result besides trades. Rates enter as exact
 * fractions, so equal facts have equal hashes however they are stored.
 */
export class FactHash {
  readonly #hash = new Sha256();
  readonly #encoder = new TextEncoder();
  #last: number | undefined;

  update(facts: readonly WorldFact[]): this {
    for (const fact of facts) this.#hash.update(this.#encoder.encode(`${JSON.stringify(plain(fact))}\n`));
    this.#last = facts.at(-1)?.time ?? this.#last;
    return this;
  }

  /** Time of the last fact so far, ms; `undefined` before the first. */
  get last(): number | undefined {
    return this.#last;
  }

  /** Lower-case hex hash of the facts so far; more may follow. */
  digest(): string {
    return this.#hash.digest();
  }
}

function plain(fact: WorldFact): object {
  switch (fact.kind) {
    case 'market':
      return { kind: fact.kind, time: fact.time, market: marketSpecOf(fact.market) };
    case 'funding':
      return {
        kind: fact.kind,
        time: fact.time,
        rate: [String(fact.rate.numerator), String(fact.rate.denominator)],
      };
    case 'ticker':
    case 'depth':
      return fact;
  }
}
