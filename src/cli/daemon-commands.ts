/** The commands of the daemon. */
import type { Command } from '@commander-js/extra-typings';
import type { ExitCode } from './exit-code.js';
import { duration } from './option-values.js';

const DEFAULT_STOP_MS = 120_000;
const CONFIG = 'configuration; default: $TICKWRIGHT_CONFIG, else ./tickwright.yaml';

export function addDaemonCommands(
  command: (name: string, description: string) => Command,
  end: (code: ExitCode) => void,
): void {
  command(
    'start',
    'run the strategies of a configuration until they are stopped, on paper unless told otherwise',
  )
    .option('--config <file>', CONFIG)
    .option('--venue <url>', "the venue's address; default: the configuration's")
    .option('--live', 'send orders to the venue; the configuration must say mode: live too')
    .option('--detach', 'return when it is ready, and leave it running')
    .option('--allow-env-key', 'a key in the environment may be used beyond this machine')
    .option('--json', 'print process id and address as one JSON document when it is ready')
    .action(async (options) => end(await (await import('./commands/start.js')).start(options)));

  command(
    'status',
    'what the daemon does, holds and doubts; of one that does not answer what its journal says',
  )
    .option('--config <file>', CONFIG)
    .option('--json', 'print one JSON document')
    .action(async (options) => end(await (await import('./commands/status.js')).status(options)));
  command('pause', 'let no order of the daemon add risk until tickwright resume')
    .option('--config <file>', CONFIG)
    .option('--reason <text>', 'for the journal', 'asked for by the operator')
    .option('--json', 'print one JSON document')
    .action(async (options) => end(await (await import('./commands/pause.js')).pause(options)));
  command('open', 'a link to the dashboard that works once, within a minute')
    .option('--config <file>', CONFIG)
    .option('--control', 'with the right to pause, cancel and flatten')
    .option('--json', 'print one JSON document')
    .action(async (options) => end(await (await import('./commands/open.js')).open(options)));
  const ends = (name: string, description: string) =>
    command(name, description)
      .option('--config <file>', CONFIG)
      .option('--venue <url>', "the venue's address; default: the configuration's")
      .option('--cancel', 'cancel every own order, and prove that none is left; the default')
      .option('--flat', 'and close every position, reduce-only, and prove that there is none')
      .option('--all', 'cancel orders of others on these pairs too')
      .option('--within <duration>', 'how long it may take; default: 2m', duration, DEFAULT_STOP_MS)
      .option('--reason <text>', 'for the journal', 'asked for by the operator')
      .option('--allow-env-key', 'a key in the environment may be used beyond this machine')
      .option('--json', 'print the proof as one JSON document');
  ends('stop', 'end the daemon in order, and prove what is left at the venue')
    .option('--leave', 'leave orders and positions as they are')
    .action(async (options) => end(await (await import('./commands/stop.js')).stop(options)));
  ends(
    'panic',
    'kill the daemon, cancel everything, and latch the halt; works when nothing else does',
  ).action(async (options) => end(await (await import('./commands/stop.js')).panic(options)));
}
