import type { CancelTimer, Timers } from '../../ports/clock.js';
import { type Alert, counted } from './alert.js';

export interface SpellsOptions {
  readonly timers: Timers;
  /**
   * A state that begins again within this time after its end was told is flapping, until it has not changed for as long;
   * ms.
   */
  readonly windowMs: number;
  readonly pass: (alert: Alert) => void;
}

/** A state of one cause, from its first beginning until it has been quiet for long enough. */
interface Spell {
  /** What was told of it last. */
  word: 'begin' | 'end';
  flaps: boolean;
  /** Its end, which is not told before the state is quiet. */
  held: Alert | undefined;
  /** Beginnings since something was last told. */
  count: number;
  cancel: CancelTimer;
}

/**
 * Tells states by their beginning and their end. A beginning is told at once unless a beginning was the last thing told:
 * at no moment may a state stand whose last news is that it is over. Floods are held back at the end instead. The end of
 * a state that flaps is told only when nothing has changed for `windowMs`, so a cause is told at most three times within
 * that.
 */
export class Spells {
  readonly #options: SpellsOptions;
  readonly #spells = new Map<string, Spell>();

  constructor(options: SpellsOptions) {
    this.#options = options;
  }

  begin(alert: Alert, key: string): void {
    const { pass } = this.#options;
    const spell = this.#spells.get(key);
    if (spell?.word === 'begin') {
      spell.count++;
      // A further beginning of a standing state changes nothing, unless its end was held back.
      if (spell.held !== undefined) this.#changed(spell, key);
      spell.held = undefined;
      return;
    }
    spell?.cancel();
    this.#spells.set(key, {
      word: 'begin',
      flaps: spell !== undefined,
      held: undefined,
      count: 0,
      cancel: this.#quietLater(key),
    });
    pass(alert);
  }

  /** The end is told only if the beginning was. */
  end(alert: Alert, key: string): void {
    const spell = this.#spells.get(key);
    if (spell?.word !== 'begin') return;
    if (spell.held === undefined) this.#changed(spell, key);
    if (spell.flaps) spell.held = alert;
    else this.#tellEnd(alert, spell);
  }

  close(): void {
    for (const { cancel } of this.#spells.values()) cancel();
    this.#spells.clear();
  }

  #tellEnd(alert: Alert, spell: Spell): void {
    const { count } = spell;
    spell.word = 'end';
    spell.held = undefined;
    spell.count = 0;
    this.#options.pass(count === 0 ? alert : counted(alert, count));
  }

  #changed(spell: Spell, key: string): void {
    spell.cancel();
    spell.cancel = this.#quietLater(key);
  }

  #quietLater(key: string): CancelTimer {
    const { timers, windowMs } = this.#options;
    return timers.after(windowMs, () => this.#quiet(key));
  }

  #quiet(key: string): void {
    const spell = this.#spells.get(key);
    if (spell === undefined) return;
    if (spell.held !== undefined) {
      this.#changed(spell, key);
      this.#tellEnd(spell.held, spell);
    } else if (spell.word === 'end') this.#spells.delete(key);
    else spell.flaps = false;
  }
}
