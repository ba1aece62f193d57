/** Server-sent events to one listener. A slow listener never delays the daemon. */
import type { DaemonEvent, DaemonStatus } from '../daemon-api.js';

export interface EventStreamOptions {
  /** The status that is sent first. */
  readonly first: DaemonStatus | undefined;
  /** Calls `listener` for every message from now on; the result ends that. */
  readonly listen: (listener: (message: DaemonEvent | DaemonStatus) => void) => () => void;
  readonly after: (ms: number, task: () => void) => () => void;
  /** Closes the connection because its reader is gone or too slow. */
  readonly drop: () => void;
  /** Called once, whatever ended the stream. */
  readonly onEnd: () => void;
}

/** Characters that may wait for a slow reader before the connection is dropped. */
const MOST_WAITING = 1_000_000;
/** Longest life of a stream. The page then connects anew, which checks its login again. */
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
