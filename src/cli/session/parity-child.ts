import { runNode } from '../../platform/child-process.js';
import { EXIT } from '../exit-code.js';
import { MAIN_FILE } from '../package.js';

export type ChildParity =
  | { readonly kind: 'checked'; readonly identical: boolean }
  | { readonly kind: 'unchecked'; readonly reason: string };

const TIMEOUT_MS = 120_000;

/**
 * Runs `parity` on a capture in a process of its own, which shares only the file with the session. If the strategy's file
 * has changed meanwhile, nothing can be checked.
 */
export async function parityInChild(capture: string, timeoutMs = TIMEOUT_MS): Promise<ChildParity> {
  const { exitCode, stdout, stderr } = await runNode([MAIN_FILE, 'parity', capture, '--json'], { timeoutMs });
  if (exitCode === EXIT.ok) {
    return isUpToTheEnd(stdout)
      ? { kind: 'checked', identical: true }
      : unchecked('what was recorded ends before the session did');
  }
  if (exitCode === EXIT.checkFailed) {
    return isOfAnotherFile(stdout)
      ? unchecked('the file of the strategy has changed since the session began')
      : { kind: 'checked', identical: false };
  }
  return unchecked(stderr.trim() || `it must be done within ${timeoutMs} ms, received no answer by then`);
}

function isOfAnotherFile(stdout: string): boolean {
  const { strategyChanged, firstDifference } = JSON.parse(stdout) as {
    readonly strategyChanged?: boolean;
    readonly firstDifference?: { readonly kind: string };
  };
  return strategyChanged === true || firstDifference?.kind === 'strategy';
}

function isUpToTheEnd(stdout: string): boolean {
  return (JSON.parse(stdout) as { readonly end: string }).end !== 'killed';
}

function unchecked(why: string): ChildParity {
  return { kind: 'unchecked', reason: `parity could not be checked: ${why}` };
}
