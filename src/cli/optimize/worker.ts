/** A thread that runs a strategy with one set of parameters after another, as requested. */
import { runTrial, type TrialEnd, type TrialTask } from '../../backtest/search/trial.js';
import { StrategyError, TickwrightError, UsageError } from '../../model/errors.js';
import { nodeFiles } from '../../platform/files.js';
import { talkOnStderr } from '../../platform/process.js';
import { insideWorker } from '../../platform/worker-thread.js';
import { openRecording, type Recording } from '../../storage/recording/recording.js';
import { packageVersion } from '../package.js';
import { loadStrategy, type LoadedStrategy } from '../strategy/strategy.js';
import type { DoTrial, FromThread, SearchData } from './messages.js';

talkOnStderr();
const port = insideWorker((message) => void run(message as DoTrial));
const post = (message: FromThread) => port.post(message);
const { file, sha256, paths, options, fixed, environment } = port.data as SearchData;
const recordings = new Map<string, Promise<Recording>>();
const prepared = prepare();
void prepared.then(() => post({ kind: 'ready' }), fail);

async function prepare(): Promise<{ readonly loaded: LoadedStrategy; readonly task: TrialTask }> {
  const loaded = await loadStrategy({ files: nodeFiles, environment }, file, fixed);
  if (loaded.sha256 !== sha256) {
    throw new UsageError(
      'TICKWRIGHT_E_STRATEGY_FILE',
      `${file} must stay as it is while it is searched, received other code than at the beginning`,
    );
  }
  const { definition } = loaded;
  const engineVersion = await packageVersion(nodeFiles);
  return { loaded, task: { definition, strategyHash: sha256, engineVersion, options, fixed } };
}

async function run({ job, texts, query }: DoTrial): Promise<void> {
  try {
    const { loaded, task } = await prepared;
    post({
      kind: 'ended',
      job,
      end: await endOf(loaded, task, { texts, recording: await recordingOf(query) }),
    });
  } catch (error) {
    fail(error);
  }
}

/** The result of a trial. An error of the strategy, or an invalid parameter, fails only this trial. */
async function endOf(
  loaded: LoadedStrategy,
  task: TrialTask,
  { texts, recording }: { readonly texts: DoTrial['texts']; readonly recording: Recording },
): Promise<TrialEnd> {
  try {
    return { kind: 'done', outcome: await runTrial(task, recording, texts) };
  } catch (error) {
    const shown = loaded.explain(error);
    const isTheirs =
      shown instanceof StrategyError ||
      (shown instanceof UsageError && THEIRS.some((code) => shown.code.startsWith(code)));
    if (!isTheirs) throw error;
    return { kind: 'failed', reason: shown.message, isUsage: shown instanceof UsageError };
  }
}

/** Errors of a strategy that does not accept the parameters. */
const THEIRS = ['TICKWRIGHT_E_PARAM', 'TICKWRIGHT_E_STRATEGY', 'TICKWRIGHT_E_WANT'];

function recordingOf(query: DoTrial['query']): Promise<Recording> {
  const key = JSON.stringify(query);
  const known = recordings.get(key) ?? openRecording(nodeFiles, paths, query);
  recordings.set(key, known);
  return known;
}

function fail(error: unknown): void {
  const code = error instanceof TickwrightError ? error.code : 'TICKWRIGHT_E_SEARCH';
  const message = error instanceof Error ? error.message : String(error);
  post({ kind: 'failed', isUsage: error instanceof UsageError, code, message });
}
