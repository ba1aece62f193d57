import { join } from 'node:path';
import { UsageError } from '../../model/errors.js';
import { strategyTestText, strategyText } from './strategy-text.js';

export interface NewFile {
  /** From the project's folder, with slashes. */
  readonly path: string;
  readonly text: string;
}

export interface NewStrategy {
  readonly strategy: NewFile;
  readonly test: NewFile;
}

/** As `defineStrategy` wants it: a file of any other name would not load. */
const NAME = /^[a-z0-9][a-z0-9-]{0,63}$/;

/** @throws UsageError when no strategy can be called so */
export function newStrategy(name: string): NewStrategy {
  if (!NAME.test(name)) {
    throw new UsageError(
      'TICKWRIGHT_E_SCAFFOLD',
      `a strategy's name must be lower-case words joined by hyphens, like my-cross, 64 characters at most, received ${JSON.stringify(name)}`,
    );
  }
  return {
    strategy: { path: `strategies/${name}.ts`, text: strategyText(name) },
    test: { path: `test/strategies/${name}.test.ts`, text: strategyTestText(`../../strategies/${name}.js`) },
  };
}

/** Where a file of a project lies. */
export function placeOf(project: string, { path }: NewFile): string {
  return join(project, ...path.split('/'));
}
