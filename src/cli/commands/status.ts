/** Asks the daemon first. What reads configurations and journals is loaded only if it does not answer. */
import { quickState } from '../../config/locate-config.js';
import type { DaemonStatus } from '../../daemon/daemon-api.js';
import { nodeFiles } from '../../platform/files.js';
import { processFacts } from '../../platform/process.js';
import { askDaemon, STATUS_MS } from '../daemon/daemon-call.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { printJson, printText } from '../view/output.js';
import { offlineText, statusText } from '../view/status-text.js';

export interface StatusOptions {
  readonly config?: string | undefined;
  readonly json?: true | undefined;
}

/** Exit code 3 if anything is not as it should be. */
export async function status({ config, json }: StatusOptions): Promise<ExitCode> {
  const { environment, directory } = processFacts();
  const quick = await quickState({ files: nodeFiles, environment, directory, flag: config });
  const answer = await statusOf(quick);
  if (answer !== undefined) return show(answer, json);
  const { offlineStatus, stateOf } = await import('../daemon/offline-status.js');
  const state = await stateOf(config);
  const second = state === quick ? undefined : await statusOf(state);
  if (second !== undefined) return show(second, json);
  const offline = await offlineStatus(config);
  if (json === true) await printJson(offline);
  else await printText(offlineText(offline));
  return offline.pairs.some(({ damage }) => damage !== undefined) ? EXIT.journalDamaged : EXIT.checkFailed;
}

async function statusOf(state: string | undefined): Promise<DaemonStatus | undefined> {
  if (state === undefined) return undefined;
  // If the daemon takes longer, its journal is read instead.
  const answer = await askDaemon(state, 'GET', '/api/status', { timeoutMs: STATUS_MS });
  return answer?.status === 200 ? (answer.document as DaemonStatus) : undefined;
}

async function show(status: DaemonStatus, json: true | undefined): Promise<ExitCode> {
  if (json === true) await printJson(status);
  else await printText(statusText(status));
  return status.state === 'running' && status.problems.length === 0 ? EXIT.ok : EXIT.checkFailed;
}
