import { join } from 'node:path';
import { UsageError } from '../../model/errors.js';
import { strategyTestText, strategyText } from './strategy-text.js';

export interface NewFile {
  /** Path relative to the project's folder, with slashes. */
  readonly path: string;
  readonly text: string;
}

export interface NewStrategy {
  readonly strategy: NewFile;
  readonly test: NewFile;
}

/** The names that `defineStrategy` accepts; a strategy with another name would not load. */
const NAME = /^[a-z0-9][a-z0-9-]{0,63}$/;

/** @throws UsageError when a strategy cannot have this name */
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

/** The path of a project's file. */
export function placeOf(project: string, { path }: NewFile): string {
  return join(project, ...path.split('/'));
}
