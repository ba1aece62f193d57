import type { BarColumns } from '../rows/bar-columns.js';
import type { Recording } from './recording.js';
import type { TradeColumns } from '../rows/trade-columns.js';

/** One of several readers of a recording. */
export interface PassReader {
  /** Its first `chunks()` or `bars()` is read together with those of the others; later ones are passes of their own. */
  readonly recording: Recording;
  /** It reads no further: nobody waits for it any more. Harmless when it has read to the end. */
  readonly leave: () => void;
}

/**
 * Several readers of one recording, which is read and decoded once: a chunk is replaced when all who still read have
 * asked for the next one. Each must read, or leave.
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

/** Of one who waits for the next chunk. */
interface Turn<T> {
  readonly resolve: (next: IteratorResult<T, void>) => void;
  readonly reject: (error: unknown) => void;
}

class SharedPass<T> {
  readonly #open: () => AsyncGenerator<T, void, undefined>;
  #source: AsyncGenerator<T, void, undefined> | undefined;
  /** Readers that have neither come to the end nor left. */
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
      // The files it has open are closed; whoever reads has long gone.
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
