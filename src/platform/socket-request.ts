import { request } from 'node:http';

export interface SocketAnswer {
  readonly status: number;
  readonly body: string;
}

export interface SocketCall {
  readonly socket: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** JSON. */
  readonly body?: string | undefined;
  /** For the whole answer. */
  readonly timeoutMs: number;
}

const MOST_BYTES = 4 * 1024 * 1024;

/** Asks whoever listens on a Unix socket, by HTTP. `undefined`: nobody answered in time, or nobody is there. */
export function askSocket({
  socket,
  method,
  path,
  body,
  timeoutMs,
}: SocketCall): Promise<SocketAnswer | undefined> {
  return new Promise((resolve) => {
    const headers =
      body === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const call = request({ socketPath: socket, method, path, headers, agent: false }, (answer) => {
      const parts: Buffer[] = [];
      let bytes = 0;
      answer.on('data', (part: Buffer) => {
        bytes += part.length;
        if (bytes > MOST_BYTES) answer.destroy();
        else parts.push(part);
      });
      answer.once('end', () =>
        end({ status: answer.statusCode ?? 0, body: Buffer.concat(parts).toString('utf8') }),
      );
      answer.once('close', () => end(undefined));
    });
    const timer = setTimeout(() => {
      end(undefined);
      call.destroy();
    }, timeoutMs);
    call.once('error', () => end(undefined));
    call.end(body);

    function end(answer: SocketAnswer | undefined) {
      clearTimeout(timer);
      resolve(answer);
    }
  });
}
