import { sleep } from '../../ports/clock.js';
import type { Machine } from '../machine.js';
import { describeError } from '../report-error.js';

/** The result of one check. */
export interface Check {
  readonly name: string;
  readonly status: 'ok' | 'warn' | 'fail';
  /** What the check found. */
  readonly detail: string;
  /** What to do about it; empty if there is nothing to do. */
  readonly fix: string;
}

export function ok(name: string, detail: string): Check {
  return { name, status: 'ok', detail, fix: '' };
}

export function warn(name: string, detail: string, fix: string): Check {
  return { name, status: 'warn', detail, fix };
}

export function fail(name: string, detail: string, fix: string): Check {
  return { name, status: 'fail', detail, fix };
}

/** A failure for live trading, but only a warning on paper. */
export function failLive(live: boolean, name: string, detail: string, fix: string): Check {
  return live ? fail(name, detail, fix) : warn(name, detail, fix);
}

const HINT = 'hint: ';

/** Checks with a time limit; those that are late may still be waiting for their answer. */
export class Looks {
  readonly #machine: Pick<Machine, 'timers'>;
  readonly #withinMs: number;
  #areLate = false;

  constructor(machine: Pick<Machine, 'timers'>, withinMs: number) {
    this.#machine = machine;
    this.#withinMs = withinMs;
  }

  get areLate(): boolean {
    return this.#areLate;
  }

  /**
   * Runs a check. One that throws fails with the reason, and with the hint of the error, if it has one, in place of
   * `fix`; one that takes too long fails with that.
   */
  async at(name: string, fix: string, look: () => Promise<readonly Check[]>): Promise<readonly Check[]> {
    const over = new AbortController();
    const late = sleep(this.#machine.timers, this.#withinMs, over.signal).then(() => {
      this.#areLate = true;
      return [fail(name, `no answer within ${this.#withinMs / 1_000} s`, fix)];
    });
    late.catch(() => undefined);
    try {
      return await Promise.race([look(), late]);
    } catch (error) {
      const lines = describeError(error)
        .text.replace(/^error: /, '')
        .split('\n');
      const hints = lines.filter((line) => line.startsWith(HINT)).map((line) => line.slice(HINT.length));
      const reason = lines.filter((line) => !line.startsWith(HINT)).slice(0, 3);
      return [fail(name, reason.join(' '), hints.length === 0 ? fix : hints.join('\n'))];
    } finally {
      over.abort(new Error('done'));
    }
  }
}
