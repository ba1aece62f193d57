import type { CancelTimer, Timers } from '../../ports/clock.js';
import type { Heartbeat } from './heartbeat.js';

export interface HangWatchOptions {
  readonly heartbeat: Pick<Heartbeat, 'ageMs'>;
  /** How long the engine may be silent before it counts as hung, ms. */
  readonly hangMs: number;
  readonly timers: Timers;
  /** At each look while it is silent. */
  readonly onHang: (silentMs: number) => void;
  /** At each look at which it is not. */
  readonly onBeat?: () => void;
}

const LOOK_MS = 1_000;
/**
 * Silent looks in a row that make a hang. After a pause of the whole process the first look sees an old heartbeat too,
 * and the engine's thread must get the chance to beat again.
 */
const LOOKS = 2;

/** Runs in the control thread and detects that the engine's thread has stopped beating. */
export class HangWatch {
  readonly #options: HangWatchOptions;
  #cancel: CancelTimer | undefined;
  #silentLooks = 0;

  constructor(options: HangWatchOptions) {
    this.#options = options;
  }

  start(): void {
    this.#cancel = this.#options.timers.after(LOOK_MS, () => {
      this.#look();
      this.start();
    });
  }

  stop(): void {
    this.#cancel?.();
  }

  /** Twice in a row: after a stopped process goes on, the engine's thread gets the time of a look to beat again. */
  #look(): void {
    const { heartbeat, hangMs, onHang, onBeat } = this.#options;
    const { ageMs } = heartbeat;
    this.#silentLooks = ageMs > hangMs ? this.#silentLooks + 1 : 0;
    if (this.#silentLooks >= LOOKS) onHang(ageMs);
    else if (this.#silentLooks === 0) onBeat?.();
  }
}
