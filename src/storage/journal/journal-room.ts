import type { CancelTimer, Timers } from '../../ports/clock.js';
import type { SyncAppendFile } from '../../ports/files.js';

/** Keeps room allocated in a segment ahead of its records. */
export class RoomAhead {
  readonly #timers: Timers;
  readonly #bytes: number;
  readonly #more: () => void;
  /** Bytes that may be used before more room is made; at that point half of the room is left. */
  #left = 0;
  #cancel: CancelTimer | undefined;

  /** `more` is called in a later turn of the event loop, because an order may be waiting for the present record. */
  constructor(timers: Timers, bytes: number, more: () => void) {
    this.#timers = timers;
    this.#bytes = bytes;
    this.#more = more;
  }

  use(bytes: number): void {
    this.#left -= bytes;
    if (this.#left >= 0) return;
    this.#cancel ??= this.#timers.soon(() => {
      this.#cancel = undefined;
      this.#more();
    });
  }

  /**
   * Allocates room. Returns whether the file has to be synced. A full disk is ignored here, as the next append will
   * report it.
   */
  make(file: SyncAppendFile): boolean {
    this.#left = this.#bytes / 2;
    if (file.reserve === undefined || this.#bytes === 0) return false;
    try {
      file.reserve(this.#bytes);
      return true;
    } catch {
      return false;
    }
  }

  /** To be called for a new file. */
  reset(): void {
    this.#left = 0;
  }

  cancel(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }
}
