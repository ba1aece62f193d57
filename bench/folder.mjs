// Programs of this folder are bundled before they run (`test/run.mjs`), so that a module does not know its own place.
import { dirname, join } from 'node:path';

/** The program that runs, and the folder that it is in. */
export const THIS_PROGRAM = process.argv[1];
export const BENCH_FOLDER = dirname(THIS_PROGRAM);

/** What is measured from outside: the built command. */
export const TICKWRIGHT = join(BENCH_FOLDER, '..', 'dist', 'cli', 'main.js');
