/**
 * The program that withdraws, started by `tickwright withdraw` on a terminal. No module imports it, so no other process
 * has the code to withdraw.
 */
import { isLoopback } from '../client/base-url.js';
import { undiciTransport } from '../client/transport.js';
import { cautious, tickwright } from '../client/profile.js';
import { createWithdrawClient } from '../client/withdraw.js';
import { UsageError } from '../model/errors.js';
import { seededRandom } from '../model/random.js';
import {
  exitNow,
  keepDebuggerShut,
  onUncaught,
  outliveReaders,
  processFacts,
  setExitCode,
} from '../platform/process.js';
import { readSecretFile } from '../platform/secrets.js';
import { HttpFailure } from '../ports/http.js';
import { VenueError } from '../ports/venue-api.js';
import { personAtTerminal } from './order/consent.js';
import { readSettings, type Settings } from './settings/settings.js';
import type { ExitCode } from './exit-code.js';
import { type Machine, thisMachine } from './machine.js';
import { reportError, VenueUnavailable } from './report-error.js';
import { printText } from './view/output.js';
import { readWithdrawArguments, type WithdrawArguments } from './withdraw-arguments.js';
import { withdrawDialog } from './withdraw-dialog.js';

keepDebuggerShut();
outliveReaders();
onUncaught((error) => void reportError(error).then(exitNow));
try {
  setExitCode(await main());
} catch (error) {
  setExitCode(await reportError(error));
}

async function main(): Promise<ExitCode> {
  const given = readWithdrawArguments(processFacts().args[0]);
  const machine = thisMachine();
  const person = personAtTerminal();
  if (given === undefined || !person.isThere || !machine.terminal.stdoutIsTerminal) {
    throw new UsageError(
      'TICKWRIGHT_E_WITHDRAW',
      'this program must be started by tickwright withdraw, with a person at a terminal',
    );
  }
  const settings = await readSettings(machine, given.config, given.profile);
  const { url, profile, credentials } = await venueOf(machine, settings, given);
  const { clock, timers, entropy, log, environment } = machine;
  const transport = undiciTransport({ baseUrl: url, clock, timers, environment });
  try {
    const client = createWithdrawClient({
      baseUrl: url,
      profile: profile ?? (isLoopback(url) ? tickwright : cautious),
      credentials,
      transport,
      clock,
      timers,
      random: seededRandom(Buffer.from(entropy.bytes(8)).toString('hex')),
      log,
    });
    const { asset, quantity } = given;
    return await withdrawDialog({ client, url, asset, quantity, person, tell: printText });
  } catch (error) {
    if (error instanceof VenueError || error instanceof HttpFailure) throw new VenueUnavailable(url, error);
    throw error;
  } finally {
    await transport.close();
  }
}

/** The venue with the key of the named files, which may differ from the bot's key. */
async function venueOf(machine: Machine, settings: Settings, given: WithdrawArguments) {
  const { keyFile, secretFile } = given;
  if (keyFile === undefined && secretFile === undefined) return settings.venueWithKeys(given);
  if (keyFile === undefined || secretFile === undefined) {
    throw new UsageError(
      'TICKWRIGHT_E_WITHDRAW',
      '--key-file and --secret-file must go together, received one',
    );
  }
  const credentials = {
    apiKey: await readSecretFile(keyFile),
    apiSecret: await readSecretFile(secretFile),
  };
  for (const secret of Object.values(credentials)) machine.scrubber.add(secret);
  return { ...settings.venue(given.venue), credentials };
}
