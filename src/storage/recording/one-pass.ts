import type { BarColumns } from '../rows/bar-columns.js';
import type { Recording } from './recording.js';
import type { TradeColumns } from '../rows/trade-columns.js';

/** One of several readers of a recording. */
export interface PassReader {
  /** Its first `chunks()` or `bars()` shares the common pass of all readers; later calls read the files again. */
  readonly recording: Recording;
  /** Must be called when the reader stops early, so that the others do not wait for it. Harmless at the end. */
  readonly leave: () => void;
}

/**
 * Lets several readers share one pass over a recording, which is read and decoded once. A chunk is replaced when all
 * active readers have asked for the next one, so each reader must keep reading or call `leave`.
 */
export function inOnePass(recording: Recording, readers: number): readonly PassReader[] {
  const trades = new SharedPass<TradeColumns>(() => recording.chunks(), readers);
  const bars = new SharedPass<BarColumns>(() => recording.bars(), readers);
  return Array.from({ length: readers }, () => {
    const ofTrades = trades.join();
    const ofBars = bars.join();
    return {
      recording: { ...recording, chunks: () => ofTrades.read(), bars: () => ofBars.read() },
      leave: () => {
        ofTrades.leave();
        ofBars.leave();
      },
    };
  });
}

interface SharedReader<T> {
  read(): AsyncGenerator<T, void, undefined>;
  leave(): void;
}

/** A reader that waits for the next chunk. */
interface Turn<T> {
  readonly resolve: (next: IteratorResult<T, void>) => void;
  readonly reject: (error: unknown) => void;
}

class SharedPass<T> {
  readonly #open: () => AsyncGenerator<T, void, undefined>;
  #source: AsyncGenerator<T, void, undefined> | undefined;
  /** Number of readers that have neither reached the end nor left. */
  #reading: number;
  /** Those of them that wait for the next chunk. */
  #waiting: Turn<T>[] = [];

  constructor(open: () => AsyncGenerator<T, void, undefined>, readers: number) {
    this.#open = open;
    this.#reading = readers;
  }

  join(): SharedReader<T> {
    let isReading = true;
    let hasBegun = false;
    const leave = () => {
      if (!isReading) return;
      isReading = false;
      this.#reading--;
      this.#advance();
    };
    return {
      read: () => {
        if (hasBegun || !isReading) return this.#open();
        hasBegun = true;
        return this.#read(leave);
      },
      leave,
    };
  }

  async *#read(leave: () => void): AsyncGenerator<T, void, undefined> {
    try {
      for (;;) {
        const next = await this.#next();
        if (next.done === true) return;
        yield next.value;
      }
    } finally {
      leave();
    }
  }

  #next(): Promise<IteratorResult<T, void>> {
    const turn = new Promise<IteratorResult<T, void>>((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
    });
    this.#advance();
    return turn;
  }

  #advance(): void {
    if (this.#reading === 0) {
      // All readers are gone, so nobody waits for the files to be closed.
      void this.#source?.return();
      return;
    }
    if (this.#waiting.length < this.#reading) return;
    const turns = this.#waiting;
    this.#waiting = [];
    this.#source ??= this.#open();
    void this.#serve(this.#source, turns);
  }

  async #serve(source: AsyncGenerator<T, void>, turns: readonly Turn<T>[]): Promise<void> {
    try {
      const next = await source.next();
      for (const { resolve } of turns) resolve(next);
    } catch (error) {
      for (const { reject } of turns) reject(error);
    }
  }
}
