/** The commands of the daemon. */
import type { Command } from '@commander-js/extra-typings';
import type { ExitCode } from './exit-code.js';
import { duration, setting } from './option-values.js';
import { CONFIG_OPTION } from './shared-options.js';

const DEFAULT_STOP_MS = 120_000;
const REPLACE_NOTES = `
The session is stopped in order between two events: own orders are canceled, the position and the stops that guard it
stay, and a new session begins with the history that every start reads. When it fails within a minute, the one before
runs again. On paper the position is gone and the account begins anew; what it has lost still counts towards the limits.
Nothing is written into the configuration.`;

export function addDaemonCommands(
  command: (name: string, description: string) => Command,
  end: (code: ExitCode) => void,
): void {
  command(
    'start',
    'run the strategies of a configuration until they are stopped, on paper unless told otherwise',
  )
    .option(...CONFIG_OPTION)
    .option('--venue <url>', "the venue's address; default: the configuration's, else http://127.0.0.1:8085")
    .option('--live', 'send orders to the venue; the configuration must say mode: live too')
    .option('--no-certificate', 'live without the certificate of tickwright certify; this is journaled')
    .option(
      '--detach',
      'return when it is ready, and leave it running; with 3 after 10 s in which it was not, while it goes on trying, ' +
        'and where no strategy of it runs',
    )
    .option('--sentinel', 'start a sentinel beside it; also daemon.sentinel in the configuration')
    .option('--allow-env-key', 'a key in the environment may be used beyond this machine')
    .option(
      '--json',
      'print process id and address as one JSON document when it is ready; ready: false in one that is not yet',
    )
    .action(async (options) => end(await (await import('./commands/start.js')).start(options)));

  command(
    'status',
    'what the daemon does, holds and doubts; of one that does not answer what its journal says',
  )
    .option(...CONFIG_OPTION)
    .option('--json', 'print one JSON document')
    .action(async (options) => end(await (await import('./commands/status.js')).status(options)));
  command('pause', 'let no order of the daemon add risk until tickwright resume')
    .option(...CONFIG_OPTION)
    .option('--reason <text>', 'for the journal', 'asked for by the operator')
    .option('--json', 'print one JSON document')
    .action(async (options) => end(await (await import('./commands/pause.js')).pause(options)));
  command('set', 'other parameters for a running strategy, until the daemon ends')
    .argument('<name=value...>', 'parameters', setting)
    .option('--pair <pair>', 'whose; default: the only one')
    .option('--dry-run', 'only show what they would have changed in what the session saw')
    .option(...CONFIG_OPTION)
    .option('--no-certificate', 'live although nothing certifies it; it is journaled')
    .option('--reason <text>', 'for the journal', 'asked for by the operator')
    .option('--json', 'print one JSON document')
    .addHelpText('after', REPLACE_NOTES)
    .action(async (params, options) => end(await (await import('./commands/set.js')).set(params, options)));
  command('swap', 'another strategy in the place of a running one, until the daemon ends')
    .argument('<strategy>', 'strategy file, or the name of one that ships')
    .option('--pair <pair>', 'on which; default: the only one')
    .option('--dry-run', 'only show what it would have decided on what the session saw')
    .option(...CONFIG_OPTION)
    .option('--no-certificate', 'live although nothing certifies it; it is journaled')
    .option('--reason <text>', 'for the journal', 'asked for by the operator')
    .option('-y, --yes', 'do not ask; needed where nobody can be asked')
    .option('--json', 'print one JSON document')
    .addHelpText('after', REPLACE_NOTES)
    .action(async (strategy, options) =>
      end(await (await import('./commands/swap.js')).swap(strategy, options)),
    );
  command('open', 'a link to the dashboard that works once, within a minute')
    .option(...CONFIG_OPTION)
    .option('--control', 'with the right to pause, resume, cancel, flatten, stop and set parameters, too')
    .option('--json', 'print one JSON document')
    .action(async (options) => end(await (await import('./commands/open.js')).open(options)));
  command('doctor', 'look at everything that a bot needs, and say what to do about what is wrong')
    .option(...CONFIG_OPTION)
    .option('--venue <url>', "the venue's address; default: the configuration's, else http://127.0.0.1:8085")
    .option('--live', 'judge as start --live does')
    .option('--allow-env-key', 'a key in the environment may be used beyond this machine')
    .option('--json', 'print one JSON document')
    .action(async (options) => end(await (await import('./commands/doctor.js')).doctor(options)));
  command('alert', 'tell the receivers of alerts that the configuration names')
    .requiredOption('--test', 'one alert to each of them, and whether it arrived')
    .option(...CONFIG_OPTION)
    .option('--json', 'print one JSON document')
    .action(async ({ config, json }) =>
      end(await (await import('./commands/alert.js')).alert({ test: true, config, json })),
    );
  command(
    'sentinel',
    'watch the daemon from outside, and cancel its orders when it hangs, dies or goes blind',
  )
    .option(...CONFIG_OPTION)
    .option('--venue <url>', "the venue's address; default: the configuration's, else http://127.0.0.1:8085")
    .option('--once', 'end with the daemon that it watches')
    .option('--allow-env-key', 'a key in the environment may be used beyond this machine')
    .action(async (options) => end(await (await import('./commands/sentinel.js')).sentinel(options)));
  const ends = (name: string, description: string) =>
    command(name, description)
      .option(...CONFIG_OPTION)
      .option(
        '--venue <url>',
        "the venue's address; default: the configuration's, else http://127.0.0.1:8085",
      )
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
    'kill the daemon, cancel everything, and leave a HALT file, so that nothing trades until tickwright resume; works when nothing else does',
  ).action(async (options) => end(await (await import('./commands/stop.js')).panic(options)));
}
