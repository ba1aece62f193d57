import { runNode } from '../../platform/child-process.js';
import { EXIT } from '../exit-code.js';
import { MAIN_FILE } from './package.js';

export type ChildParity =
  | { readonly kind: 'checked'; readonly identical: boolean }
  | { readonly kind: 'unchecked'; readonly reason: string };

const TIMEOUT_MS = 120_000;

/** `parity` of a capture in a process of its own, which shares nothing with the session but the file. */
export async function parityInChild(capture: string): Promise<ChildParity> {
  const { exitCode, stderr } = await runNode([MAIN_FILE, 'parity', capture, '--json'], {
    timeoutMs: TIMEOUT_MS,
  });
  if (exitCode === EXIT.ok) return { kind: 'checked', identical: true };
  if (exitCode === EXIT.checkFailed) return { kind: 'checked', identical: false };
  return { kind: 'unchecked', reason: `parity could not be checked: ${stderr.trim()}` };
}
