import { UsageError } from '../../model/errors.js';
import { runNodeInForeground } from '../../platform/child-process.js';
import { terminal } from '../../platform/terminal.js';
import { WITHDRAW_FILE } from '../package.js';
import { personAtTerminal } from '../order/consent.js';
import type { ExitCode } from '../exit-code.js';
import type { WithdrawArguments } from '../withdraw-arguments.js';

/**
 * Starts the program that withdraws, on the same terminal. This process loads nothing of it, so that a process that
 * runs a strategy or a venue has no code to withdraw.
 *
 * @throws UsageError without a terminal.
 */
export async function withdraw(options: WithdrawArguments): Promise<ExitCode> {
  requireTerminal();
  return (await runNodeInForeground([WITHDRAW_FILE, JSON.stringify(options)])) as ExitCode;
}

function requireTerminal(): void {
  if (personAtTerminal().isThere && terminal().stdoutIsTerminal) return;
  throw new UsageError(
    'TICKWRIGHT_E_WITHDRAW',
    'withdraw must have a person at a terminal: stdin, stdout and stderr must be one, received something else',
  );
}
