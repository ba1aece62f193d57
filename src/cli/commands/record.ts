import { merge } from 'rxjs';
import { counted } from '../../model/counted.js';
import type { Market } from '../../model/market.js';
import { sleep } from '../../ports/clock.js';
import type { Connection } from '../connection/connection.js';
import { withConnection } from '../connection/connection.js';
import { FactRecorder } from '../record/fact-recorder.js';
import { demandFolder } from '../output/output-file.js';
import { asOnlyWriter } from '../record/only-writer.js';
import { chooseMarket } from '../settings/pair.js';
import { warnOfUnfinished } from '../record/unfinished-warning.js';
import { PairRecorder } from '../record/pair-recorder.js';
import { readSettings } from '../settings/settings.js';
import { stopRequest } from '../session/stop-request.js';
import type { FactCounts } from '../../storage/facts/fact-writer.js';
import { EXIT, type ExitCode, SIGNAL_EXIT } from '../exit-code.js';
import { type Machine, thisMachine } from '../machine.js';
import { bytesText } from '../view/bytes-text.js';
import { lengthText, momentText } from '../view/moment.js';
import { silenceText } from '../view/silence-text.js';
import { printJson, printText, say } from '../view/output.js';
import { table } from '../view/table.js';

export interface RecordOptions {
  readonly venue?: string | undefined;
  readonly out: string;
  readonly for?: number | undefined;
  readonly poll?: number | undefined;
  readonly ticker: number;
  readonly depth: number;
  readonly config?: string | undefined;
  readonly json?: true | undefined;
}

interface Recorders {
  readonly recorders: readonly PairRecorder[];
  readonly facts: FactRecorder;
}

const REDRAW_MS = 500;

export async function record(pairs: readonly string[], options: RecordOptions): Promise<ExitCode> {
  const machine = thisMachine();
  const settings = await readSettings(machine, options.config);
  const venue = settings.venue(options.venue);
  await demandFolder(machine.files, '--out', options.out);
  return withConnection(machine, venue, async (connection) => {
    const markets: Market[] = [];
    for (const pair of new Set(pairs)) markets.push(await chooseMarket(connection.api, pair, 'PAIR'));
    if (connection.profile.clock === 'follow') await connection.api.clock.sync();
    const names = markets.map(({ pair }) => pair);
    return asOnlyWriter(machine, options.out, names, async () => {
      await warnOfUnfinished(machine.files, options.out, names);
      const { recorders, facts } = await openRecorders(machine, connection, markets, options);
      // Requested before the message: whoever reads that it records may stop it at once.
      const stop = stopRequest();
      await say(`recording ${names.join(', ')} from ${venue.url} into ${options.out}`);
      const everyMs = options.poll ?? settings.poll.trades;
      const reason = await recordUntilStopped(machine, connection, {
        recorders,
        facts,
        everyMs,
        forMs: options.for,
        stop,
      });
      await report(recorders, facts, options.json === true);
      // Both are said.
      const isMissing = await sayMissing(recorders, facts);
      if ((await saySilence(recorders)) || isMissing) return EXIT.failure;
      return reason === 'time' ? EXIT.ok : SIGNAL_EXIT[reason];
    });
  });
}

async function openRecorders(
  machine: Machine,
  connection: Connection,
  markets: readonly Market[],
  { out: directory, ticker, depth }: RecordOptions,
): Promise<Recorders> {
  const recorders: PairRecorder[] = [];
  for (const market of markets) {
    recorders.push(await PairRecorder.open({ machine, connection, market, directory }));
  }
  const facts = await FactRecorder.open({
    machine,
    connection,
    pairs: markets.map(({ pair }) => pair),
    directory,
    tickerMs: ticker,
    depthLevels: depth,
  });
  return { recorders, facts };
}

async function recordUntilStopped(
  machine: Machine,
  connection: Connection,
  {
    recorders,
    facts,
    everyMs,
    forMs,
    stop,
  }: Recorders & {
    readonly everyMs: number;
    readonly forMs: number | undefined;
    readonly stop: ReturnType<typeof stopRequest>;
  },
) {
  const { timers } = machine;
  const over = new AbortController();
  let fail: (error: unknown) => void = () => undefined;
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  const running = merge(...recorders.map((recorder) => recorder.run(everyMs)), facts.run()).subscribe({
    error: fail,
  });
  const display = show(machine, connection, { recorders, facts }, over.signal);
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
    try {
      await closeAll([...recorders, facts]);
    } finally {
      stop.release();
    }
  }
}

/** Closes all, even if one of them fails, so that the other recordings become complete. */
async function closeAll(all: readonly { close(): Promise<void> }[]): Promise<void> {
  const ends = await Promise.allSettled(all.map((one) => one.close()));
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

async function show(
  { area, timers, clock }: Machine,
  { url }: Connection,
  { recorders, facts }: Recorders,
  signal: AbortSignal,
): Promise<void> {
  if (area === undefined) return;
  const startedAt = clock.monotonic();
  while (!signal.aborted) {
    const rows = recorders.map(({ pair, totals, trouble }) => {
      const { tickers, depths, funding } = facts.totals(pair);
      const counts = [
        counted(totals.trades, 'trade'),
        counted(totals.gaps, 'gap'),
        `${tickers} tickers`,
        ...(depths > 0 ? [`${depths} books`] : []),
        ...(funding > 0 ? [`${funding} funding`] : []),
      ];
      return `  ${pair}  ${trouble ?? counts.join(', ')}`.slice(0, area.columns - 1);
    });
    area.show([`recording from ${url} · ${lengthText(clock.monotonic() - startedAt)}`, ...rows]);
    await sleep(timers, REDRAW_MS, signal).catch(() => undefined);
  }
  area.show([]);
}

async function report(recorders: readonly PairRecorder[], facts: FactRecorder, json: boolean): Promise<void> {
  const pairs = await Promise.all(
    recorders.map(async (recorder) => {
      const { trades, gaps, duplicates, from, to } = recorder.totals;
      const bytes = await recorder.bytes();
      return {
        pair: recorder.pair,
        trades,
        gaps,
        duplicates,
        bytes,
        from,
        to,
        ...keptFacts(facts, recorder.pair),
        ...missingOf(recorder, facts),
      };
    }),
  );
  if (json) {
    await printJson({ pairs });
    return;
  }
  const rows = pairs.map(({ pair, trades, gaps, duplicates, tickers, depths, bytes, from, to }) => [
    pair,
    String(trades),
    String(gaps),
    String(duplicates),
    String(tickers),
    String(depths),
    bytesText(bytes),
    from === undefined ? '' : momentText(from),
    to === undefined ? '' : momentText(to),
  ]);
  const heads = ['PAIR', 'TRADES', 'GAPS', 'DUPLICATES', 'TICKERS', 'BOOKS', 'ON DISK', 'FROM', 'TO'];
  const aligned = heads.map((head) => (['PAIR', 'FROM', 'TO'].includes(head) ? 'left' : 'right'));
  await printText(table(heads, rows, aligned));
}

function keptFacts(facts: FactRecorder, pair: string): FactCounts {
  const taken = facts.totals(pair);
  const missing = facts.missing(pair);
  return {
    markets: taken.markets - missing.markets,
    tickers: taken.tickers - missing.tickers,
    funding: taken.funding - missing.funding,
    depths: taken.depths - missing.depths,
  };
}

/** What is missing in the files of a pair; an empty object if nothing is. */
function missingOf(recorder: PairRecorder, facts: FactRecorder) {
  const trades = recorder.missing;
  const { markets, tickers, funding, depths } = facts.missing(recorder.pair);
  const rows = markets + tickers + funding + depths;
  if (trades === undefined && rows === 0) return {};
  const { count = 0, since, file } = trades ?? {};
  return { missing: { trades: count, since, file, facts: rows } };
}

/**
 * Reports missing data, and returns whether there is any. It is unknown whether the venue had more, as it was not asked
 * any more.
 */
async function sayMissing(recorders: readonly PairRecorder[], facts: FactRecorder): Promise<boolean> {
  let isSome = false;
  for (const recorder of recorders) {
    const { missing } = missingOf(recorder, facts);
    if (missing === undefined) continue;
    isSome = true;
    const { pair } = recorder;
    const { trades, since, file, facts: rows } = missing;
    if (since !== undefined) {
      await say(
        `error: ${file} must have room on its disk, received none: ${counted(trades, 'trade')} of ${pair} since ` +
          `${momentText(since)}, and all later ones, are not in it; where there is room, tickwright record goes on from there`,
      );
    }
    if (rows > 0) {
      await say(
        `error: the newest ${counted(rows, 'row')} of tickers, books, funding and markets of ${pair} are lost: the disk is full`,
      );
    }
  }
  return isSome;
}

/**
 * Reports pairs whose recording ends long before the command does, such as a delisted one, and returns whether there
 * is any. Those whose disk is still full are reported by `sayMissing`.
 */
async function saySilence(recorders: readonly PairRecorder[]): Promise<boolean> {
  let isSome = false;
  for (const { pair, silence, missing } of recorders) {
    if (silence === undefined || missing !== undefined) continue;
    isSome = true;
    await say(`error: ${silenceText(pair, silence)}`);
  }
  return isSome;
}
