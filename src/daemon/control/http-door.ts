/** The address of the HTTP server: what becomes of it when it cannot be had. */
import { UsageError } from '../../model/errors.js';
import type { HttpAddress } from './messages.js';

export interface HttpDoorOptions {
  readonly address: HttpAddress;
  /** Resolves to the port as soon as the server listens there. */
  readonly listen: () => Promise<number>;
  readonly after: (ms: number, task: () => void) => void;
  readonly onOpen: (port: number) => void;
}

const AGAIN_MS = 10_000;

/**
 * Opens the door. Resolves to why it is still shut, in words; `undefined`: it is open. One that `waits` is tried again
 * until it is open.
 *
 * @throws UsageError when it does not wait for an address that another attempt would not have either
 */
export async function openDoor(options: HttpDoorOptions): Promise<string | undefined> {
  const { address, listen, onOpen } = options;
  let port: number;
  try {
    port = await listen();
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const why = whyRefused((error as NodeJS.ErrnoException | null)?.code);
    if (address.waits) {
      openLater(options);
      const reason = why ?? `which cannot be had (${String(error)})`;
      return `control.http is not open at ${hostPort(address)}, ${reason}; it is tried again, and the commands work without it`;
    }
    if (why === undefined) throw error;
    throw new UsageError(
      'TICKWRIGHT_E_CONTROL',
      `control.http must be an address that is free, received ${hostPort(address)}, ${why}`,
    );
  }
  onOpen(port);
  return undefined;
}

function openLater(options: HttpDoorOptions): void {
  const { listen, after, onOpen } = options;
  after(AGAIN_MS, () => {
    void listen().then(onOpen, () => openLater(options));
  });
}

function hostPort({ host, port }: HttpAddress): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

function whyRefused(code: string | undefined): string | undefined {
  switch (code) {
    case 'EADDRINUSE':
      return 'which another program has';
    case 'EADDRNOTAVAIL':
      return 'which this machine has not';
    case 'EACCES':
      return 'which this user may not listen on';
    default:
      return undefined;
  }
}
