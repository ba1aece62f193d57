import { resolve } from 'node:path';
import { UsageError } from '../../model/errors.js';
import { writeOut } from '../../platform/process.js';
import { replaceFile } from '../../platform/replace-file.js';
import type { Files } from '../../ports/files.js';
import type { StopSignal } from '../../ports/signals.js';
import { exportParquet } from '../../storage/recording/export-parquet.js';
import { exportText } from '../../storage/recording/export-text.js';
import { openRows, type RecordedRows } from '../../storage/recording/recording.js';
import type { TradeColumns } from '../../storage/rows/trade-columns.js';
import { checkOutputFile, demandUnreadFiles } from '../output/output-file.js';
import { EXIT, type ExitCode, SIGNAL_EXIT } from '../exit-code.js';
import { thisMachine } from '../machine.js';
import { stopRequest } from '../session/stop-request.js';
import { bytesText } from '../view/bytes-text.js';
import { parseStretch } from '../view/moment.js';
import { printJson, say } from '../view/output.js';
import { unreadWarning } from '../view/unread-text.js';

export interface DataExportOptions {
  readonly format: 'csv' | 'ndjson' | 'parquet';
  readonly pair?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly out?: string | undefined;
  readonly json?: true | undefined;
}

async function hasRows(recording: RecordedRows): Promise<boolean> {
  for await (const { count } of recording.kind === 'bars' ? recording.bars() : recording.chunks()) {
    if (count > 0) return true;
  }
  return false;
}

/**
 * Exports a recording to a file for other programs. Text goes to stdout if no file is named. Exit code 3 if a part of
 * the recording is damaged, and therefore missing in the export.
 */
export async function dataExport(directory: string, options: DataExportOptions): Promise<ExitCode> {
  const { files } = thisMachine();
  const { format, out } = options;
  if (out === undefined && (format === 'parquet' || options.json === true)) {
    throw new UsageError(
      'TICKWRIGHT_E_EXPORT',
      `--out must name a file for ${format === 'parquet' ? '--format parquet' : '--json'}, received none`,
    );
  }
  if (out !== undefined) {
    await checkOutputFile(files, '--out', out);
    await demandUnreadFiles([['--out', out]], { data: [directory] });
  }
  let isDamaged = false;
  const recording = await openRows(files, [directory], {
    onRest(file, rest) {
      isDamaged ||= rest.kind === 'damaged';
      void say(unreadWarning(file, rest));
    },
    pair: options.pair,
    faults: 'tell',
    ...parseStretch(options),
  });
  if (!(await hasRows(recording))) {
    const { from = 'its beginning', to = 'its end' } = options;
    throw new UsageError(
      'TICKWRIGHT_E_EXPORT',
      `the stretch must have ${recording.kind} in it, received none from ${from} to ${to}`,
    );
  }
  const counted = counting(recording);
  if (out === undefined) {
    for await (const text of exportText(counted.recording, format === 'csv' ? 'csv' : 'ndjson')) {
      if (!(await writeOut(text))) break;
    }
    return codeOf();
  }
  const bytes = await writeFile(resolve(out), pieces(files, counted.recording, options, out));
  if (typeof bytes === 'string') return SIGNAL_EXIT[bytes];
  const { rows } = counted;
  if (options.json === true) {
    await printJson({ pair: recording.pair, kind: recording.kind, rows: rows(), bytes, format, out });
  } else {
    await say(`${recording.pair}: ${rows()} ${recording.kind} written to ${out} (${bytesText(bytes)})`);
  }
  return codeOf();

  function codeOf(): ExitCode {
    return isDamaged ? EXIT.checkFailed : EXIT.ok;
  }
}

/** Wraps a recording to count the rows that were read. Warns at the first trade that is out of order. */
function counting(recording: RecordedRows): {
  readonly recording: RecordedRows;
  readonly rows: () => number;
} {
  let rows = 0;
  async function* counted<T extends { readonly count: number }>(
    chunks: AsyncGenerator<T, void, undefined>,
    look: (chunk: T) => void = () => undefined,
  ): AsyncGenerator<T, void, undefined> {
    for await (const chunk of chunks) {
      rows += chunk.count;
      look(chunk);
      yield chunk;
    }
  }
  return {
    recording: {
      ...recording,
      chunks: () => counted(recording.chunks(), orderWarning(recording.pair)),
      bars: () => counted(recording.bars()),
    },
    rows: () => rows,
  };
}

function orderWarning(pair: string): (chunk: TradeColumns) => void {
  let last = -Infinity;
  return (chunk) => {
    for (let row = 0; row < chunk.count && last < Infinity; row++) {
      const time = chunk.time[row] as number;
      if (time < last) {
        void say(
          `warning: ${pair} is out of order: trade ${chunk.id(row)} at ${time} stands behind one at ${last} (data import sorts, and drops what is there twice)`,
        );
        last = Infinity;
      } else {
        last = time;
      }
    }
  };
}

async function* pieces(
  files: Files,
  recording: RecordedRows,
  { format }: DataExportOptions,
  out: string,
): AsyncGenerator<Uint8Array> {
  if (format === 'parquet') {
    yield* exportParquet(recording);
    return;
  }
  const isPacked = out.endsWith('.gz');
  const encoder = new TextEncoder();
  for await (const text of exportText(recording, format)) {
    const bytes = encoder.encode(text);
    // Concatenated gzip members are one valid gzip file.
    yield isPacked ? await files.gzip(bytes) : bytes;
  }
}

/**
 * Writes a file that replaces an existing one only when it is complete. Returns its size in bytes, or the signal that
 * interrupted it: the incomplete file is then removed, as nobody would find many gigabytes under its hidden name.
 */
async function writeFile(path: string, parts: AsyncGenerator<Uint8Array>): Promise<number | StopSignal> {
  const stop = stopRequest();
  let signal: StopSignal | undefined;
  void stop.requested.then((received) => {
    signal = received;
  });
  try {
    return await replaceFile(path, async (file) => {
      for await (const part of parts) {
        if (signal !== undefined) throw new Error(`broken off by ${signal}`);
        await file.append(part);
      }
      return file.size();
    });
  } catch (error) {
    if (signal !== undefined) return signal;
    throw error;
  } finally {
    stop.release();
  }
}
