import type { CancelTimer, Timers } from '../ports/clock.js';
import type { DiskSpace } from '../ports/disk-space.js';
import type { Log } from '../ports/log.js';
import { shortageToGoOn } from '../storage/journal/journal-space.js';

export interface DiskWatchOptions {
  readonly disk: DiskSpace;
  /** The journal's folder. */
  readonly directory: string;
  readonly timers: Timers;
  readonly log: Log;
  /** Called with why no risk may be added from now on; `undefined`: there is room again. */
  readonly onChange: (reason: string | undefined) => void;
}

const LOOK_MS = 10_000;

/** Stops risk while the disk of the journal has little room left, long before a record does not fit. */
export class DiskWatch {
  readonly #options: DiskWatchOptions;
  #cancelLook: CancelTimer | undefined;
  #stopped = false;
  #isFull = false;
  #unknown = false;

  constructor(options: DiskWatchOptions) {
    this.#options = options;
  }

  /** Looks now, and every 10 s from then on. Resolves after the first look. */
  async watch(): Promise<void> {
    await this.look();
    if (this.#stopped) return;
    this.#cancelLook = this.#options.timers.after(LOOK_MS, () => void this.watch());
  }

  stop(): void {
    this.#stopped = true;
    this.#cancelLook?.();
    this.#cancelLook = undefined;
  }

  /** Never rejects: if the free space cannot be read, the last known answer holds. */
  async look(): Promise<void> {
    const { disk, directory, log, onChange } = this.#options;
    try {
      const reason = await shortageToGoOn(disk, directory);
      if (this.#stopped) return;
      this.#unknown = false;
      const isFull = reason !== undefined;
      if (isFull === this.#isFull) return;
      this.#isFull = isFull;
      if (isFull) log.error('the disk of the journal is nearly full: no order adds risk', { reason });
      else log.warn('the disk of the journal has room again', { directory });
      onChange(reason);
    } catch (error) {
      if (!this.#unknown)
        log.warn('nobody can say how much room the disk has', { directory, error: String(error) });
      this.#unknown = true;
    }
  }
}
