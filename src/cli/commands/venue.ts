import { UsageError } from '../../model/errors.js';
import { readFaultPlan } from '../venue/fault-file.js';
import { DEFAULT_PAIR } from '../../venue/catalogue.js';
import type { FillModelName } from '../../venue/tape/fill-model.js';
import { startSimulatedVenue } from '../venue/simulated-venue.js';
import { madeUpCredentials } from '../connection/credentials.js';
import { stopRequest } from '../session/stop-request.js';
import { loadTapes } from '../venue/tape.js';
import { type ExitCode, SIGNAL_EXIT } from '../exit-code.js';
import { thisMachine } from '../machine.js';
import type { AssetAmount, Credentials } from '../option-values.js';
import { printText, say } from '../view/output.js';

export interface VenueOptions {
  readonly port: number;
  readonly tape?: readonly string[] | undefined;
  readonly synthetic?: number | undefined;
  readonly pair?: readonly string[] | undefined;
  readonly speed: number;
  readonly account?: readonly Credentials[] | undefined;
  readonly deposit?: readonly AssetAmount[] | undefined;
  readonly seed?: number | undefined;
  readonly maxLimit?: number | undefined;
  readonly rateLimit?: number | undefined;
  readonly adminPort?: number | undefined;
  /** File of a fault plan. */
  readonly faults?: string | undefined;
  /** The fill model of orders against a tape. */
  readonly fill?: FillModelName | undefined;
}

export async function venue(options: VenueOptions): Promise<ExitCode> {
  const machine = thisMachine();
  const pairs = options.pair ?? [];
  const accounts = options.account ?? [madeUpCredentials(machine.entropy)];
  for (const { key } of accounts) {
    if (key === '')
      throw new UsageError('TICKWRIGHT_E_ACCOUNT', '--account must be KEY:SECRET, received something else');
  }
  if (options.fill !== undefined && options.tape === undefined) {
    throw new UsageError(
      'TICKWRIGHT_E_FILL',
      `--fill must come with a --tape, received ${options.fill}: on a made-up market orders trade with those that others have there`,
    );
  }
  const faults = options.faults === undefined ? undefined : await readFaultPlan(machine, options.faults);
  const stop = stopRequest();
  const server = await startSimulatedVenue(machine, {
    source:
      options.tape === undefined
        ? {
            kind: 'synthetic',
            seed: options.synthetic ?? options.seed ?? 1,
            pairs: pairs.length === 0 ? [DEFAULT_PAIR] : pairs,
          }
        : { kind: 'tape', tapes: await loadTapes(machine.files, options.tape, pairs) },
    fill: options.fill,
    port: options.port,
    speed: options.speed,
    accounts,
    deposits: options.deposit,
    maxLimit: options.maxLimit,
    rateLimit: options.rateLimit,
    adminPort: options.adminPort,
    faults,
  });
  const { url, adminUrl } = server;
  await printText(JSON.stringify({ listening: url, ...(adminUrl === undefined ? {} : { adminUrl }) }));
  if (options.account === undefined) await say(invitation(url, accounts[0] as Credentials));
  const reason = await stop.requested;
  await server.close();
  return SIGNAL_EXIT[reason];
}

function invitation(url: string, { key, secret }: Credentials): string {
  return [
    'An account was made for you; in another terminal:',
    `  export TICKWRIGHT_VENUE__API_KEY=${key} TICKWRIGHT_VENUE__API_SECRET=${secret}`,
    `  tickwright run market-maker --live --venue ${url}`,
    'Ctrl-C stops the venue.',
  ].join('\n');
}
