import type { Machine } from '../machine.js';
import { SAMPLE_FOLDER } from './package.js';
import type { Settings } from './settings.js';

/** Where the trades come from, and who said so. */
export interface DataPaths {
  readonly paths: readonly string[];
  readonly origin: string;
}

export async function dataPaths(
  { files }: Pick<Machine, 'files'>,
  settings: Settings,
  given: readonly string[] | undefined,
): Promise<DataPaths> {
  if (given !== undefined) return { paths: given, origin: '--data' };
  if (settings.data.length > 0) return { paths: settings.data, origin: `named by ${settings.file ?? ''}` };
  if ((await files.stat('data'))?.kind === 'directory')
    return { paths: ['data'], origin: 'the default folder' };
  return { paths: [SAMPLE_FOLDER], origin: 'the sample that ships' };
}
