/** Asks a running daemon over its socket, with a deadline. */
import { controlSocketPath, readDaemonFile } from '../../daemon/daemon-file.js';
import { TickwrightError, UsageError } from '../../model/errors.js';
import { nodeFiles } from '../../platform/files.js';
import { userName } from '../../platform/process.js';
import { findShortSocket, fitsSocket, shortSocketPath } from '../../platform/socket-path.js';
import { askSocket, type SocketAnswer } from '../../platform/socket-request.js';
import { demandOpenState } from './state-access.js';

export interface DaemonAnswer {
  readonly status: number;
  readonly document: unknown;
}

/** The socket's path: in the state folder, or in a private folder when that path is too long for a socket. */
export function daemonSocket(state: string): Promise<string> {
  const path = controlSocketPath(state);
  return fitsSocket(path) ? Promise.resolve(path) : shortSocketPath(path);
}

/** `undefined`: no daemon answers. */
export async function askDaemon(
  state: string,
  method: 'GET' | 'POST',
  path: string,
  { body, timeoutMs }: { readonly body?: object | undefined; readonly timeoutMs: number },
): Promise<DaemonAnswer | undefined> {
  const text = body === undefined ? undefined : JSON.stringify(body);
  let answer: SocketAnswer | undefined;
  for (const socket of await socketsOf(state)) {
    answer ??= await askSocket({ socket, method, path, body: text, timeoutMs });
  }
  if (answer === undefined) return undefined;
  let document: unknown;
  try {
    document = JSON.parse(answer.body);
  } catch {
    document = { error: answer.body.slice(0, 200) };
  }
  return { status: answer.status, document };
}

/** The paths at which the daemon may listen. */
async function socketsOf(state: string): Promise<readonly string[]> {
  const own = controlSocketPath(state);
  if (fitsSocket(own)) return [own];
  // The short path depends on environment variables. A caller with other variables knows it only from the daemon's file,
  // which exists once the daemon is ready.
  const told = (await readDaemonFile(nodeFiles, state).catch(() => undefined))?.socket;
  const found = await findShortSocket(own);
  return [...new Set([told, found])].filter((socket) => socket !== undefined);
}

const TELL_MS = 5_000;
/** Enough for a status even on a loaded machine: the control thread waits at most 700 ms for the engine. */
export const STATUS_MS = 1_000;
/** Longer than the 90 s for which the control thread waits while a session is stopped and another one started. */
export const REPLACE_MS = 100_000;

/**
 * Sends a request to the daemon, with the name of the user.
 *
 * @throws TickwrightError when no daemon answers, or it cannot do this at present; UsageError, in the daemon's words,
 * when it refuses; the system's error when the bot is another user's
 */
export async function tellDaemon(
  state: string,
  path: string,
  words: object,
  timeoutMs = TELL_MS,
): Promise<unknown> {
  const body = { by: userName(), ...words };
  const answer = await askDaemon(state, 'POST', path, { body, timeoutMs });
  if (answer === undefined) {
    await demandOpenState(state);
    throw new TickwrightError(
      'TICKWRIGHT_E_DAEMON_SILENT',
      `a daemon must run on ${state} and answer, received no answer; tickwright status says more, tickwright panic works without it`,
    );
  }
  if (answer.status < 300) return answer.document;
  throw refusalOf(answer);
}

/** The daemon's words in an answer that is not what was asked for. */
export function refusalOf({ status, document }: DaemonAnswer): TickwrightError {
  const { error } = (document ?? {}) as { readonly error?: unknown };
  const said = typeof error === 'string' ? error : `the daemon answered ${status}`;
  if (status < 500) return new UsageError('TICKWRIGHT_E_DAEMON_REFUSED', said);
  return new TickwrightError(
    'TICKWRIGHT_E_DAEMON_UNABLE',
    `${said}; tickwright status says more, tickwright panic works without it`,
  );
}
