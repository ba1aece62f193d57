import { holdsRecordings } from '../../storage/recording/recording.js';
import type { Machine } from '../machine.js';
import { SAMPLE_FOLDER } from '../package.js';
import type { Settings } from '../settings/settings.js';

/** Where the recordings are, and which setting said so. */
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
  const isThere = (await files.stat('data'))?.kind === 'directory';
  if (isThere && (await holdsRecordings(files, 'data'))) {
    return { paths: ['data'], origin: 'the default folder' };
  }
  const why = isThere ? ': ./data holds no recordings' : '';
  return { paths: [SAMPLE_FOLDER], origin: `the sample that ships${why}` };
}
