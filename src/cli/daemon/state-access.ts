/** Whose the state of a bot is. */
import { controlSocketPath, daemonFilePath } from '../../daemon/daemon-file.js';
import { demandOpen } from '../../platform/open-to-user.js';

/**
 * Demands that nothing keeps this user from the bot of the state folder. Otherwise a daemon that runs there would look
 * like none. A folder that is not there, or that only cannot be written, is open.
 *
 * @throws the system's error, with its path
 */
export async function demandOpenState(state: string): Promise<void> {
  await demandOpen(state, 'enter');
  await demandOpen(daemonFilePath(state), 'read');
  await demandOpen(controlSocketPath(state), 'connect');
}
