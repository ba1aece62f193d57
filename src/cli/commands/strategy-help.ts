import { closest } from '../../config/closest.js';
import { UsageError } from '../../model/errors.js';
import { shippedStrategies } from '../package.js';
import { loadDefinition, strategyPath } from '../strategy/strategy.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { thisMachine } from '../machine.js';
import { printJson, printText } from '../view/output.js';
import { table } from '../view/table.js';

export interface StrategyHelpOptions {
  readonly json?: true | undefined;
}

/** `commands`: further names on which there is help. */
export async function strategyHelp(
  name: string,
  options: StrategyHelpOptions,
  commands: readonly string[] = [],
): Promise<ExitCode> {
  const machine = thisMachine();
  const path = await strategyPath(machine, name).catch(async (error: unknown) => {
    const meant = closest(name, [...commands, ...(await shippedStrategies(machine.files))]);
    if (meant === undefined || !(error instanceof UsageError)) throw error;
    throw new UsageError(error.code, `${error.message} (did you mean ${meant}?)`, { cause: error });
  });
  const { definition, file } = await loadDefinition(machine, path);
  const params = Object.entries(definition.params).map(([param, spec]) => ({
    name: param,
    kind: spec.kind,
    default: spec.defaultText,
    expected: spec.expected,
  }));
  if (options.json === true) {
    await printJson({ strategy: definition.name, file, params });
    return EXIT.ok;
  }
  const rows = params.map((param) => [param.name, param.default, param.expected]);
  const list =
    rows.length === 0
      ? 'no parameters'
      : table(['PARAMETER', 'DEFAULT', 'MUST BE'], rows, ['left', 'right', 'left']);
  await printText(`${definition.name} (${file})\n\n${list}\n\nset them with --set name=value`);
  return EXIT.ok;
}
