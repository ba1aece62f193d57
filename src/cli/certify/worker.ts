/** A thread that runs the strategy through one scenario after another, as requested. */
import { runScenario } from '../../certify/run-scenario.js';
import { SCENARIOS } from '../../certify/scenario.js';
import { markedStrategy } from '../../daemon/marked-strategy.js';
import { InvariantError, TickwrightError } from '../../model/errors.js';
import { nodeFiles } from '../../platform/files.js';
import { talkOnStderr } from '../../platform/process.js';
import { systemTimers } from '../../platform/timers.js';
import { insideWorker } from '../../platform/worker-thread.js';
import type { BoundStrategy } from '../../strategy/instance.js';
import { catalogueEntry, catalogueMarket } from '../../venue/catalogue.js';
import { eventLoopDrain } from './certify.js';
import { loadStrategy } from '../strategy/strategy.js';
import type { CertifyData, DoJob, FromThread } from './messages.js';
import { WorkMark } from './work-mark.js';

talkOnStderr();
const port = insideWorker((message) => void run(message as DoJob));
const post = (message: FromThread) => port.post(message);
const { file, params, pair, limits, onDoubt, environment, mark: shared } = port.data as CertifyData;
const mark = new WorkMark(shared);
const loaded = await loadStrategy({ files: nodeFiles, environment }, file, params);
const market = catalogueMarket(pair);
const terms = {
  market,
  startTicks: catalogueEntry(pair).referencePrice * market.priceGrid.scale,
  limits,
  onDoubt,
  drain: eventLoopDrain(systemTimers),
};
post({ kind: 'ready' });

async function run({ job, scenario: name, seed }: DoJob): Promise<void> {
  try {
    const scenario = SCENARIOS.find((each) => each.name === name);
    if (scenario === undefined) throw new InvariantError(`there is no scenario ${name}`);
    mark.begin();
    // State of the file outside of `create` must not depend on earlier runs of this thread.
    const strategy = followed(markedStrategy(await loaded.fresh(), mark));
    post({ kind: 'run', job, end: await runScenario({ ...terms, strategy, scenario, seed }) });
  } catch (error) {
    const shown = loaded.explain(error);
    const code = shown instanceof TickwrightError ? shown.code : 'TICKWRIGHT_E_CERTIFY';
    post({ kind: 'failed', code, message: shown instanceof Error ? shown.message : String(shown) });
  }
}

/** Wraps a strategy so that the mark follows its event time. */
function followed(strategy: BoundStrategy): BoundStrategy {
  return {
    ...strategy,
    start(context) {
      mark.follow(() => context.now);
      return strategy.start(context);
    },
  };
}
