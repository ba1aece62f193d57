/** A name that one process of this machine can hold at a time, whatever its user and its folders are. */
import { connect, createServer, type Server, type Socket } from 'node:net';

export interface NameLock {
  release(): Promise<void>;
}

/** Somebody else holds the name. */
export interface NameHeld {
  /** Its process; `undefined` when it does not say, as one that hangs. */
  readonly holder: number | undefined;
}

/** How long a holder may take to say who it is, ms. */
const ANSWER_MS = 500;

/**
 * Holds `name` until it is released or this process ends, however it ends: it is the address of an abstract socket, which
 * the kernel takes back (unix(7)). Where a process runs in a network namespace of its own, nobody outside of it is asked.
 * Systems other than Linux have no such addresses: there it resolves to `undefined`, and nothing is held.
 *
 * `name`: up to 100 bytes.
 */
export async function holdName(name: string): Promise<NameLock | NameHeld | undefined> {
  if (process.platform !== 'linux') return undefined;
  const path = `\0${name}`;
  const server = createServer(sayWho);
  try {
    await listening(server, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    return { holder: await holderAt(path) };
  }
  // What goes wrong with somebody's question is not ours.
  server.on('error', () => undefined);
  // A process that has nothing else to do ends.
  server.unref();
  return {
    release: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
      }),
  };
}

function sayWho(socket: Socket): void {
  socket.unref();
  socket.on('error', () => undefined);
  socket.end(`${process.pid}\n`, () => socket.destroy());
}

function listening(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function holderAt(path: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(path);
    socket.setEncoding('utf8').setTimeout(ANSWER_MS, () => socket.destroy());
    socket.on('data', (part: string) => {
      text += part;
      if (text.length > 32) socket.destroy();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      resolve(/^[1-9]\d{0,9}\n$/.test(text) ? Number(text) : undefined);
    });
  });
}
