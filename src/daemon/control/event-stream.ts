/** Server-sent events to one listener, who is not waited for. */
import type { DaemonEvent, DaemonStatus } from '../daemon-api.js';

export interface EventStreamOptions {
  /** What is said first. */
  readonly first: DaemonStatus | undefined;
  /** From now on; returns what ends it. */
  readonly listen: (listener: (message: DaemonEvent | DaemonStatus) => void) => () => void;
  readonly after: (ms: number, task: () => void) => () => void;
  /** Closes the connection under it: its reader is gone or too slow. */
  readonly drop: () => void;
  /** Once, however it ends. */
  readonly onEnd: () => void;
}

/** What a slow reader may have waiting, characters. */
const MOST_WAITING = 1_000_000;
/** Then the page asks anew, and its session is looked at again. */
const LONGEST_MS = 3_600_000;

export function eventStream({
  first,
  listen,
  after,
  drop,
  onEnd,
}: EventStreamOptions): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const waiting: string[] = [];
  let waitingLength = 0;
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let wants = false;
  let isOver = false;
  const say = (message: DaemonEvent | DaemonStatus) => {
    const text = `data: ${JSON.stringify(message)}\n\n`;
    if (wants) {
      wants = false;
      controller?.enqueue(encoder.encode(text));
      return;
    }
    waiting.push(text);
    waitingLength += text.length;
    if (waitingLength > MOST_WAITING) {
      over();
      drop();
    }
  };
  const release = listen(say);
  const cancel = after(LONGEST_MS, () => {
    over();
    controller?.close();
  });
  function over(): void {
    if (isOver) return;
    isOver = true;
    waiting.length = 0;
    release();
    cancel();
    onEnd();
  }
  return new ReadableStream<Uint8Array>(
    {
      start(given) {
        controller = given;
        if (first !== undefined) say(first);
      },
      pull(given) {
        const text = waiting.shift();
        if (text === undefined) {
          wants = !isOver;
          return;
        }
        waitingLength -= text.length;
        given.enqueue(encoder.encode(text));
      },
      cancel: over,
    },
    { highWaterMark: 1 },
  );
}
