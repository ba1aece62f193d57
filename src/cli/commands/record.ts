import { merge } from 'rxjs';
import type { Market } from '../../model/market.js';
import { sleep } from '../../ports/clock.js';
import type { Connection } from '../compose/connection.js';
import { withConnection } from '../compose/connection.js';
import { chooseMarket } from '../compose/pair.js';
import { PairRecorder } from '../compose/pair-recorder.js';
import { readSettings } from '../compose/settings.js';
import { stopRequest } from '../compose/stop-request.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { type Machine, thisMachine } from '../machine.js';
import { bytesText } from '../view/bytes-text.js';
import { lengthText, momentText } from '../view/moment.js';
import { printJson, printText, say } from '../view/output.js';
import { table } from '../view/table.js';

export interface RecordOptions {
  readonly venue?: string | undefined;
  readonly out: string;
  readonly for?: number | undefined;
  readonly poll?: number | undefined;
  readonly config?: string | undefined;
  readonly json?: true | undefined;
}

const REDRAW_MS = 500;

export async function record(pairs: readonly string[], options: RecordOptions): Promise<ExitCode> {
  const machine = thisMachine();
  const settings = await readSettings(machine, options.config);
  const venue = settings.venue(options.venue);
  return withConnection(machine, venue, async (connection) => {
    const markets: Market[] = [];
    for (const pair of new Set(pairs)) markets.push(await chooseMarket(connection.api, pair));
    if (connection.profile.clock === 'follow') await connection.api.clock.sync();
    const recorders: PairRecorder[] = [];
    for (const market of markets) {
      recorders.push(await PairRecorder.open({ machine, connection, market, directory: options.out }));
    }
    await say(
      `recording ${markets.map(({ pair }) => pair).join(', ')} from ${venue.url} into ${options.out}`,
    );
    const everyMs = options.poll ?? settings.poll.trades;
    const reason = await recordUntilStopped(machine, connection, recorders, { everyMs, forMs: options.for });
    await report(recorders, options.json === true);
    return reason === 'SIGINT' ? EXIT.interrupted : reason === 'SIGTERM' ? EXIT.terminated : EXIT.ok;
  });
}

async function recordUntilStopped(
  machine: Machine,
  connection: Connection,
  recorders: readonly PairRecorder[],
  { everyMs, forMs }: { readonly everyMs: number; readonly forMs: number | undefined },
) {
  const { timers } = machine;
  const stop = stopRequest();
  const over = new AbortController();
  let fail: (error: unknown) => void = () => undefined;
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  const running = merge(...recorders.map((recorder) => recorder.run(everyMs))).subscribe({ error: fail });
  const display = show(machine, connection, recorders, over.signal);
  try {
    return await Promise.race([
      stop.requested,
      failed,
      ...(forMs === undefined ? [] : [sleep(timers, forMs, over.signal).then(() => 'time' as const)]),
    ]);
  } finally {
    over.abort(new Error('over'));
    await display;
    running.unsubscribe();
    for (const recorder of recorders) await recorder.close();
    stop.release();
  }
}

async function show(
  { area, timers, clock }: Machine,
  { url }: Connection,
  recorders: readonly PairRecorder[],
  signal: AbortSignal,
): Promise<void> {
  if (area === undefined) return;
  const startedAt = clock.monotonic();
  while (!signal.aborted) {
    const rows = recorders.map(
      ({ pair, totals }) => `  ${pair}  ${totals.trades} trades, ${totals.gaps} gaps`,
    );
    area.show([`recording from ${url} · ${lengthText(clock.monotonic() - startedAt)}`, ...rows]);
    await sleep(timers, REDRAW_MS, signal).catch(() => undefined);
  }
  area.show([]);
}

async function report(recorders: readonly PairRecorder[], json: boolean): Promise<void> {
  const pairs = await Promise.all(
    recorders.map(async (recorder) => {
      const { trades, gaps, duplicates, from, to } = recorder.totals;
      return { pair: recorder.pair, trades, gaps, duplicates, bytes: await recorder.bytes(), from, to };
    }),
  );
  if (json) {
    await printJson({ pairs });
    return;
  }
  const rows = pairs.map(({ pair, trades, gaps, duplicates, bytes, from, to }) => [
    pair,
    String(trades),
    String(gaps),
    String(duplicates),
    bytesText(bytes),
    from === undefined ? '' : momentText(from),
    to === undefined ? '' : momentText(to),
  ]);
  const heads = ['PAIR', 'TRADES', 'GAPS', 'DUPLICATES', 'ON DISK', 'FROM', 'TO'];
  await printText(table(heads, rows, ['left', 'right', 'right', 'right', 'right', 'left', 'left']));
}
