import { join } from 'node:path';
import { UsageError } from '../../model/errors.js';
import { type Person, personAtTerminal } from '../order/consent.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { thisMachine } from '../machine.js';
import { newStrategy, placeOf } from '../scaffold/new-strategy.js';
import { packageManagerIn } from '../scaffold/package-manager.js';
import { writeNew } from '../scaffold/write-new.js';
import { printJson, printText } from '../view/output.js';
import { agrees } from '../scaffold/agree.js';

export interface NewOptions {
  readonly yes?: true | undefined;
  readonly json?: true | undefined;
}

/** Writes a strategy and its test to the project in the working directory. Does not overwrite any file. */
export async function makeStrategy(
  name: string,
  options: NewOptions,
  person: Person = personAtTerminal(),
): Promise<ExitCode> {
  const { files } = thisMachine();
  const project = '.';
  const { strategy, test } = newStrategy(name);
  const list = [strategy, test];
  for (const file of list) {
    const place = placeOf(project, file);
    if ((await files.stat(place)) !== undefined) {
      throw new UsageError(
        'TICKWRIGHT_E_SCAFFOLD',
        `${place} is there already: a new strategy must have a name of its own`,
      );
    }
  }
  if ((await files.stat(join(project, 'package.json'))) === undefined) {
    const question = () => `Write ${strategy.path} and ${test.path} all the same?`;
    const reason = 'there is no package.json here, so this is no project (tickwright init makes one). ';
    if (!(await agrees(options.yes, question, person, reason))) return EXIT.failure;
  }
  const { created } = await writeNew(files, project, list);
  if (options.json === true) await printJson({ created });
  else {
    const { run } = await packageManagerIn(files, project);
    await printText(`created ${created.join(' and ')}

  ${run} tickwright backtest ${strategy.path} --set bars=5s   # over ./data, or the recording that ships
  ${run} vitest run ${test.path}`);
  }
  return EXIT.ok;
}
