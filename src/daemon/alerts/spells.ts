import type { CancelTimer, Timers } from '../../ports/clock.js';
import { type Alert, counted } from './alert.js';

export interface SpellsOptions {
  readonly timers: Timers;
  /** What begins again so soon after its end was told flaps until nothing of it changed for as long, ms. */
  readonly windowMs: number;
  readonly pass: (alert: Alert) => void;
}

/** A state of one cause, from its first beginning until it was quiet for long enough. */
interface Spell {
  /** The last one on it that was told. */
  word: 'begin' | 'end';
  flaps: boolean;
  /** Its end, held back until it is quiet. */
  held: Alert | undefined;
  /** Beginnings since the last word. */
  count: number;
  cancel: CancelTimer;
}

/**
 * Tells states by their beginning and their end. A beginning is told at once, unless the last word is one already: nothing
 * stands while its last word is that it is over, not for a moment. What floods instead is held back at the end: of a state
 * that flaps it is told when nothing changed for `windowMs`, so that a cause is told at most three times in that.
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
      // That it stands is no change.
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

  /** Nobody is told of one whose beginning was not told. */
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
