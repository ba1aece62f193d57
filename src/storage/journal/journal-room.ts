import type { CancelTimer, Timers } from '../../ports/clock.js';
import type { SyncAppendFile } from '../../ports/files.js';

/** Room in a segment ahead of its records, and when to make more. */
export class RoomAhead {
  readonly #timers: Timers;
  readonly #bytes: number;
  readonly #more: () => void;
  /** What may be used until more is made; half of the room is then left. */
  #left = 0;
  #cancel: CancelTimer | undefined;

  /** `more` is called in a later turn: an order may be waiting for the record that used up the room. */
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

  /** Whether there is now something to sync. A disk without room is none of its business: appends find out. */
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

  /** The file is a new one. */
  reset(): void {
    this.#left = 0;
  }

  cancel(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }
}
