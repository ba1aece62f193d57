/** Recomputes the decisions of a recorded session from its inputs, and compares them one by one. */
import { Engine } from '../../engine/engine.js';
import { UsageError } from '../../model/errors.js';
import type { EngineEvent } from '../../model/event.js';
import { defineMarket } from '../../model/market.js';
import type { Files } from '../../ports/files.js';
import { replayCore } from '../../session/replay.js';
import type { SessionCore } from '../../session/session-core.js';
import type { CaptureFooter, CaptureHeader } from '../../storage/capture/capture.js';
import type { CaptureRecord } from '../../storage/capture/capture-reader.js';
import { openCapture } from '../../storage/capture/capture-reader.js';
import { decisionText } from '../../storage/capture/decision-codec.js';
import type { BoundStrategy } from '../../strategy/instance.js';
import { capturedLimits, capturedOptions } from '../session/capture.js';

/**
 * The first place where the recording and the recomputation differ.
 *
 * - `input`: the line is missing, or its checksum shows that it is not what the session wrote
 * - `decision`: the same inputs led to another decision
 * - `wants-hash`, `decision-hash`, `inputs`: the footer of the session differs
 * - `error`: the strategy throws here, although the session continued
 */
export interface Difference {
  /** Number of the input, from 1; for the footer, that of the last input. */
  readonly input: number;
  readonly kind: 'input' | 'decision' | 'wants-hash' | 'decision-hash' | 'inputs' | 'error';
  /** `file:line` in the capture. */
  readonly where: string;
  readonly recorded: unknown;
  readonly recomputed: unknown;
}

export interface Parity {
  /** Number of recomputed inputs. */
  readonly events: number;
  readonly identical: boolean;
  readonly firstDifference: Difference | undefined;
  /**
   * How the capture ends. `failed`: the strategy threw, in the session as well as here · `killed`: the session did not
   * end in order, or is still running, so there is no footer to compare with · `stopped`: there was a difference
   */
  readonly end: 'orderly' | 'failed' | 'killed' | 'stopped';
  /** What the strategy threw; `undefined` if it did not throw. */
  readonly failure: string | undefined;
  readonly wantsHash: string;
  readonly decisionHash: string;
}

/** @throws UsageError when the capture does not contain the beginning of the session. */
export async function openWholeCapture(files: Files, path: string) {
  const capture = await openCapture(files, path);
  if (capture.header.firstInput !== 1) {
    throw new UsageError(
      'TICKWRIGHT_E_CAPTURE',
      `${path} must reach back to the beginning of its session, received its inputs from number ` +
        `${capture.header.firstInput} on: a session without --for keeps its last minutes only`,
    );
  }
  return capture;
}

/** `thrown`: describes an error of the strategy; returns `undefined` for other errors, which are then rethrown. */
export async function checkParity(
  header: CaptureHeader,
  strategy: BoundStrategy,
  records: AsyncIterable<CaptureRecord>,
  thrown: (error: unknown) => string | undefined = () => undefined,
): Promise<Parity> {
  const recomputation = new Recomputation(header, strategy, thrown);
  for await (const record of records) {
    if (!recomputation.take(record)) break;
  }
  return recomputation.end();
}

class Recomputation {
  readonly #core: SessionCore;
  /** The recomputed decision on the last input, until it is compared with the recorded one. */
  #decided: string | undefined;
  #input = 0;
  #where = '';
  #footer: CaptureFooter | undefined;
  #difference: Difference | undefined;
  #failure: string | undefined;
  readonly #thrown: (error: unknown) => string | undefined;

  constructor(
    header: CaptureHeader,
    strategy: BoundStrategy,
    thrown: (error: unknown) => string | undefined,
  ) {
    this.#thrown = thrown;
    const { seed, warmUp, funds, wealth, onDoubt, positions, baseline, reserves, sent } =
      capturedOptions(header);
    const market = defineMarket(header.market);
    const engine = new Engine({ strategy, market, seed, warmUp, onDoubt, positions });
    this.#core = replayCore(
      { engine, limits: capturedLimits(header), warmUp, funds, wealth, baseline, reserves, sent },
      {
        decision: (_, commands, refusals, superseded) => {
          this.#decided = decisionText({ commands, refusals, superseded });
        },
      },
    );
  }

  /** Takes the next record. Returns false if it is pointless to continue. */
  take(record: CaptureRecord): boolean {
    if (record.kind !== 'decision') this.#expectNone();
    this.#where = record.where;
    if (this.#difference === undefined) this.#handle(record);
    return this.#difference === undefined;
  }

  end(): Parity {
    // Without a footer, the decision on the last input may not have been written.
    if (this.#footer !== undefined) this.#expectNone();
    const hashes = { wantsHash: this.#core.engine.wantsHash(), decisionHash: this.#core.decisionHash() };
    const { inputs } = this.#core.counts;
    const footer = this.#footer;
    if (this.#difference === undefined && footer !== undefined) {
      if (footer.inputs !== inputs) this.#differ('inputs', footer.inputs, inputs);
      else if (footer.wantsHash !== hashes.wantsHash)
        this.#differ('wants-hash', footer.wantsHash, hashes.wantsHash);
      else if (footer.decisionHash !== hashes.decisionHash) {
        this.#differ('decision-hash', footer.decisionHash, hashes.decisionHash);
      }
    }
    return {
      events: inputs,
      identical: this.#difference === undefined,
      firstDifference: this.#difference,
      end: this.#how(),
      failure: this.#failure,
      ...hashes,
    };
  }

  #how(): Parity['end'] {
    if (this.#difference !== undefined) return 'stopped';
    if (this.#failure !== undefined) return 'failed';
    return this.#footer === undefined ? 'killed' : 'orderly';
  }

  #handle(record: CaptureRecord): void {
    if (!record.intact) {
      if (record.kind === 'input' || record.kind === 'decision') this.#input = record.input;
      this.#differ('input', contents(record), CHANGED);
      return;
    }
    switch (record.kind) {
      case 'header':
        break;
      case 'input':
        // After its strategy failed, a session ignores market events, but still handles requests to it.
        if (this.#failure !== undefined && !ASKED.has(record.event.kind)) {
          this.#differ('error', contents(record), this.#failure);
          break;
        }
        this.#input = record.input;
        this.#feed(record.event);
        break;
      case 'decision':
        this.#compare(record.decision);
        break;
      case 'footer':
        this.#footer = record.footer;
        break;
    }
  }

  #feed(event: EngineEvent): void {
    try {
      this.#core.input(event);
    } catch (error) {
      const text = this.#thrown(error);
      if (text === undefined) throw error;
      this.#failure ??= text;
    }
  }

  #compare(recorded: string): void {
    const recomputed = this.#decided;
    this.#decided = undefined;
    if (recomputed !== recorded) this.#differ('decision', parsed(recorded), parsed(recomputed));
  }

  /** The session recorded no decision on the last input, so the recomputation must not have made one either. */
  #expectNone(): void {
    if (this.#decided === undefined) return;
    const recomputed = this.#decided;
    this.#decided = undefined;
    this.#differ('decision', 'none', parsed(recomputed));
  }

  #differ(kind: Difference['kind'], recorded: unknown, recomputed: unknown): void {
    this.#difference ??= { input: this.#input, kind, where: this.#where, recorded, recomputed };
  }
}

const ASKED: ReadonlySet<EngineEvent['kind']> = new Set(['permit', 'others', 'transfers', 'resumed']);

const CHANGED = 'a line whose checksum holds: this one, or one before it, was changed or is missing';

function contents(record: CaptureRecord): unknown {
  switch (record.kind) {
    case 'header':
      return record.header;
    case 'input':
      return record.event;
    case 'decision':
      return parsed(record.decision);
    case 'footer':
      return record.footer;
  }
}

function parsed(decision: string | undefined): unknown {
  return decision === undefined ? 'none' : (JSON.parse(decision) as unknown);
}
