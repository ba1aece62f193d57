#!/usr/bin/env node
/** The program `tickwright`. Before an action runs nothing but the command table is loaded: `--help` is instant. */
import { CommanderError } from '@commander-js/extra-typings';
import {
  exitNow,
  keepDebuggerShut,
  onUncaught,
  outliveReaders,
  processFacts,
  setExitCode,
  talkOnStderr,
} from '../platform/process.js';
import { backgroundTimers } from '../platform/timers.js';
import { EXIT, type ExitCode } from './exit-code.js';
import { createProgram } from './program.js';
import { endByUncaught } from './uncaught.js';

/**
 * After this time the module that reports errors is loaded, ms: the package may be replaced while a long command runs.
 */
const LONG_MS = 1_000;
/** How long the orderly end after an uncaught error may take, ms: less than a supervisor waits before it kills. */
const MOST_END_MS = 60_000;

const reports = new Map<unknown, Promise<ExitCode>>();
keepDebuggerShut();
outliveReaders();
talkOnStderr();
let uncaught: Promise<ExitCode> | undefined;
/** How the command ended. */
let ended: ExitCode | undefined;
let isOver = false;
// After an uncaught error, no state can be trusted: nothing goes on but the end. More of them may come meanwhile.
onUncaught((error) => {
  uncaught ??= endBy(error);
});
backgroundTimers.after(LONG_MS, () => void import('./report-error.js').catch(() => undefined));
try {
  const { args } = processFacts();
  if (args[0] === '-V' || args[0] === '--version') {
    end(await (await import('./commands/version.js')).version());
  } else {
    await createProgram(end).parseAsync([...args], { from: 'user' });
  }
} catch (error) {
  if (error instanceof CommanderError) {
    end(error.exitCode === 0 ? EXIT.ok : EXIT.usage);
  } else {
    end(await report(error));
  }
}
isOver = true;
if (uncaught !== undefined) exitNow(codeOf(await uncaught));

function end(code: ExitCode): void {
  ended = code;
  setExitCode(code);
}

/** That of an uncaught error, unless something may be left at the venue: a supervisor must not start anything then. */
function codeOf(code: ExitCode): ExitCode {
  return ended === EXIT.stopNotProven ? ended : code;
}

/** Ends what trades in this process in order, and then the process. Resolves to its exit code. */
async function endBy(thrown: unknown): Promise<ExitCode> {
  const { error, isOrderly, begun } = endByUncaught(thrown);
  const code = await report(error);
  if (!isOrderly) exitNow(codeOf(code));
  setExitCode(code);
  backgroundTimers.after(MOST_END_MS, () => exitNow(codeOf(code)));
  await begun;
  // Nothing is under way any more that would come to its end.
  if (isOver) exitNow(codeOf(code));
  return code;
}

/** Reports each error once: a failed write to stdout reaches both its caller and the stream's listener. */
function report(error: unknown): Promise<ExitCode> {
  const told =
    reports.get(error) ?? import('./report-error.js').then(({ reportError }) => reportError(error));
  reports.set(error, told);
  return told;
}
