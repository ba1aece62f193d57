import { relative, resolve } from 'node:path';
import { UsageError } from '../../model/errors.js';
import { shellWord } from '../../model/shell-word.js';
import { runProgram } from '../../platform/child-process.js';
import { realPath } from '../../platform/real-path.js';
import { type Person, personAtTerminal } from '../order/consent.js';
import { PACKAGE_FOLDER } from '../package.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { type Machine, thisMachine } from '../machine.js';
import { agrees } from '../scaffold/agree.js';
import { newStrategy, placeOf } from '../scaffold/new-strategy.js';
import type { PackageManager } from '../scaffold/package-manager.js';
import { type Project, planProject } from '../scaffold/project.js';
import { writeNew } from '../scaffold/write-new.js';
import { printJson, printText, say } from '../view/output.js';

export interface InitOptions {
  readonly yes?: true | undefined;
  /** False with `--no-install`. */
  readonly install: boolean;
  readonly json?: true | undefined;
}

const EXAMPLE = 'example';
const INSTALL_MS = 10 * 60_000;

/** Sets up a bot project in a folder. In an existing project, nothing is changed, and what is missing is added. */
export async function init(
  folder: string,
  options: InitOptions,
  person: Person = personAtTerminal(),
): Promise<ExitCode> {
  const machine = thisMachine();
  const { files } = machine;
  const project = await projectFolder(machine, folder);
  const { strategy, test } = newStrategy(EXAMPLE);
  const packageFolder = await realPath(PACKAGE_FOLDER);
  const plan = await planProject(files, { project, packageFolder, strategy, test });
  const { manager } = plan;
  const question = () => questionOf(project, plan, options.install);
  if (!(await agrees(options.yes, question, person))) return EXIT.failure;
  await makeFolder(machine, project);
  const { created, kept: there } = await writeNew(files, project, plan.files);
  for (const file of plan.merged) await files.writeAtomic(placeOf(project, file), file.text);
  const merged = plan.merged.map(({ path }) => path);
  const kept = there.filter((path) => !merged.includes(path));
  if (plan.hasOwnTsconfig) {
    await say(
      'tsconfig.json is kept: its include must cover strategies and test, or nothing checks their types',
    );
  }
  const installed = options.install ? await install(machine, project, manager) : undefined;
  if (options.json === true) {
    await printJson({ folder: project, created, merged, kept, installed: installed === true });
  } else {
    const list = [
      ...created.map((path) => `created    ${path}`),
      ...merged.map((path) => `added to   ${path}`),
      ...kept.map((path) => `kept       ${path}`),
    ];
    const testing = plan.hasTestScript ? manager.test : `${manager.run} vitest run ${test.path}`;
    const steps = [
      ...(await wayTo(project)),
      ...(installed === true ? [] : [`${manager.name} install`]),
      testing,
      `${manager.run} tickwright backtest ${strategy.path} --set bars=5s`,
      `${manager.run} tickwright demo --strategy ${strategy.path} --set bars=1s fast=3 slow=9`,
    ];
    await printText(`${list.join('\n')}\n\nnext:\n${steps.map((step) => `  ${step}`).join('\n')}`);
  }
  return installed === false ? EXIT.failure : EXIT.ok;
}

/** The absolute path without symbolic links: npm uses the real path, and paths to the package are relative to it. */
async function projectFolder({ files }: Machine, folder: string): Promise<string> {
  const expected = 'a folder or not there yet';
  if (folder.trim() === '') throw problem(`the folder of a project must be ${expected}, received no name`);
  const project = await realPath(folder);
  const entry = await files.stat(project);
  if (entry !== undefined && entry.kind !== 'directory')
    throw problem(`${folder} must be ${expected}, received a file`);
  return project;
}

async function makeFolder({ files }: Machine, project: string): Promise<void> {
  try {
    await files.makeDirectory(project);
  } catch (cause) {
    throw problem(`${project} must be a folder that can be made, received ${(cause as Error).message}`);
  }
}

function questionOf(project: string, { files, merged, manager }: Project, install: boolean): string {
  const added =
    merged.length === 0 ? '' : `; what ${merged.map(({ path }) => path).join(' and ')} lacks is added`;
  const then = install ? `; then ${manager.name} install runs there` : '';
  return `A bot project in ${project}:
  ${files.map(({ path }) => path).join('\n  ')}
What is there already stays as it is${added}${then}.
Make it?`;
}

/** The commands with which a person gets from this folder to the project. */
async function wayTo(project: string): Promise<readonly string[]> {
  const way = relative(await realPath('.'), project);
  if (way === '') return [];
  return [`cd ${shellWord(way)}`];
}

/** Runs `npm install`, or that of the project's own package manager. On failure, says so and returns false. */
async function install(machine: Machine, project: string, { name }: PackageManager): Promise<boolean> {
  const command = `${name} install`;
  await say(`${command} …`);
  // On Windows a package manager is a script, which only a shell can start.
  const shell = machine.environment['OS']?.startsWith('Windows') === true;
  const left = `the files are there, ${command} is left to you`;
  const flags = name === 'npm' ? ['--no-audit', '--no-fund'] : [];
  try {
    const { exitCode, stdout, stderr } = await runProgram(name, ['install', ...flags], {
      cwd: resolve(project),
      timeoutMs: INSTALL_MS,
      shell,
    });
    if (exitCode === 0) return true;
    const said = stderr.trim() === '' ? stdout : stderr;
    await say(`${said.trim()}\n${command} did not succeed (exit code ${exitCode ?? 'none'}): ${left}`);
  } catch (error) {
    await say(`${command} could not be started (${(error as Error).message}): ${left}`);
  }
  return false;
}

function problem(message: string): UsageError {
  return new UsageError('TICKWRIGHT_E_SCAFFOLD', message);
}
