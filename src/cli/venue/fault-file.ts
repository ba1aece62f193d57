import { parseFaultPlan } from '../../config/fault-plan.js';
import { UsageError } from '../../model/errors.js';
import type { FaultPlanTerms } from '../../model/fault-rule.js';
import { FileMissing } from '../../ports/files.js';
import type { Machine } from '../machine.js';

/** @throws UsageError with `file:line:col` when the file is not a valid plan. */
export async function readFaultPlan(
  { files, environment }: Pick<Machine, 'files' | 'environment'>,
  path: string,
): Promise<FaultPlanTerms> {
  let text: string;
  try {
    text = await files.readText(path);
  } catch (error) {
    if (!(error instanceof FileMissing)) throw error;
    throw new UsageError(
      'TICKWRIGHT_E_FAULT_PLAN',
      `--faults must be a file, received ${path}: no such file`,
    );
  }
  return parseFaultPlan({ text, shown: path, environment });
}
