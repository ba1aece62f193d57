#!/usr/bin/env node
/** The program `tickwright`. Before an action runs nothing but the command table is loaded: `--help` is instant. */
import { CommanderError } from '@commander-js/extra-typings';
import { endQuietlyOnBrokenPipe, processFacts, setExitCode } from '../platform/process.js';
import { EXIT } from './exit-code.js';
import { createProgram } from './program.js';

endQuietlyOnBrokenPipe();
const { args } = processFacts();
try {
  if (args[0] === '-V' || args[0] === '--version') {
    setExitCode(await (await import('./commands/version.js')).version());
  } else {
    await createProgram(setExitCode).parseAsync([...args], { from: 'user' });
  }
} catch (error) {
  if (error instanceof CommanderError) {
    setExitCode(error.exitCode === 0 ? EXIT.ok : EXIT.usage);
  } else {
    const { reportError } = await import('./report-error.js');
    setExitCode(await reportError(error));
  }
}
