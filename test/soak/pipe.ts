/** Messages as JSON through two named pipes, each end blocking until the other has spoken. */
import { openSync, readSync, writeSync } from 'node:fs';

const LENGTH_BYTES = 4;

export class Pipe {
  readonly #from: number;
  readonly #to: number;

  private constructor(from: number, to: number) {
    this.#from = from;
    this.#to = to;
  }

  /** Returns once the other end is opened too: one of them asks, the other one answers. */
  static open(folder: string, end: 'asks' | 'answers'): Pipe {
    const [questions, answers] = [`${folder}/questions`, `${folder}/answers`];
    if (end === 'asks') {
      const to = openSync(questions, 'w');
      return new Pipe(openSync(answers, 'r'), to);
    }
    const from = openSync(questions, 'r');
    return new Pipe(from, openSync(answers, 'w'));
  }

  send(message: unknown): void {
    const body = Buffer.from(JSON.stringify(message));
    const bytes = Buffer.allocUnsafe(LENGTH_BYTES + body.length);
    bytes.writeUInt32LE(body.length);
    body.copy(bytes, LENGTH_BYTES);
    for (let done = 0; done < bytes.length; ) done += uninterrupted(() => writeSync(this.#to, bytes, done));
  }

  /** `undefined`: the other end is closed. */
  receive(): unknown {
    const length = this.#bytes(LENGTH_BYTES)?.readUInt32LE();
    if (length === undefined) return undefined;
    const body = this.#bytes(length);
    return body === undefined ? undefined : (JSON.parse(body.toString()) as unknown);
  }

  #bytes(count: number): Buffer | undefined {
    const bytes = Buffer.allocUnsafe(count);
    for (let done = 0; done < count; ) {
      const read = uninterrupted(() => readSync(this.#from, bytes, done, count - done, null));
      if (read === 0) return undefined;
      done += read;
    }
    return bytes;
  }
}

/** A signal that comes meanwhile ends the call, and changes nothing. */
function uninterrupted(call: () => number): number {
  for (;;) {
    try {
      return call();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EINTR') throw error;
    }
  }
}
