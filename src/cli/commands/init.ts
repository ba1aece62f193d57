import { basename, join, resolve } from 'node:path';
import { UsageError } from '../../model/errors.js';
import { runProgram } from '../../platform/child-process.js';
import { type Person, personAtTerminal } from '../compose/consent.js';
import { PACKAGE_FOLDER } from '../compose/package.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { type Machine, thisMachine } from '../machine.js';
import { agrees } from '../scaffold/agree.js';
import { newStrategy } from '../scaffold/new-strategy.js';
import { type Project, planProject } from '../scaffold/project.js';
import { writeNew } from '../scaffold/write-new.js';
import { printJson, printText, say } from '../view/output.js';

export interface InitOptions {
  readonly yes?: true | undefined;
  /** False: `--no-install`. */
  readonly install: boolean;
  readonly json?: true | undefined;
}

const EXAMPLE = 'example';
const INSTALL_MS = 10 * 60_000;

/** A bot project in a folder, which may hold one already: what is there stays, and package.json is only added to. */
export async function init(
  folder: string,
  options: InitOptions,
  person: Person = personAtTerminal(),
): Promise<ExitCode> {
  const machine = thisMachine();
  const { files } = machine;
  const project = resolve(folder);
  const entry = await files.stat(project);
  if (entry !== undefined && entry.kind !== 'directory')
    throw new UsageError(
      'TICKWRIGHT_E_SCAFFOLD',
      `${folder} must be a folder or not there yet, received a file`,
    );
  const { strategy, test } = newStrategy(EXAMPLE);
  const plan = await planProject(files, { project, packageFolder: PACKAGE_FOLDER, strategy, test });
  if (!(await agrees(options.yes, question(project, plan, options.install), person))) return EXIT.failure;
  await files.makeDirectory(project);
  const { created, kept } = await writeNew(files, project, plan.files);
  if (plan.merged !== undefined) await files.writeAtomic(join(project, 'package.json'), plan.merged);
  const installed = options.install ? await install(machine, project) : undefined;
  const merged = plan.merged === undefined ? [] : ['package.json'];
  if (options.json === true) {
    await printJson({ folder: project, created, merged, kept, installed: installed === true });
  } else {
    const list = [
      ...created.map((path) => `created    ${path}`),
      ...merged.map((path) => `added to   ${path}`),
      ...kept.map((path) => `kept       ${path}`),
    ];
    await printText(`${list.join('\n')}\n\n${nextSteps(project, strategy.path, installed !== true)}`);
  }
  return installed === false ? EXIT.failure : EXIT.ok;
}

function question(project: string, { files, merged }: Project, install: boolean): string {
  const added = merged === undefined ? '' : '; package.json is added to';
  const then = install ? '; then npm install runs there' : '';
  return `A bot project in ${project}:
  ${files.map(({ path }) => path).join('\n  ')}
What is there already stays as it is${added}${then}.
Make it?`;
}

function nextSteps(project: string, strategy: string, mustInstall: boolean): string {
  const isHere = project === resolve('.');
  const steps = [
    ...(isHere ? [] : [`cd ${basename(project)}`]),
    ...(mustInstall ? ['npm install'] : []),
    'npm test',
    `npx tickwright backtest ${strategy} --set bars=5s`,
    `npx tickwright demo --strategy ${strategy} --set bars=1s fast=3 slow=9`,
  ];
  return `next:\n${steps.map((step) => `  ${step}`).join('\n')}`;
}

/** False when it did not succeed, which it says. */
async function install(machine: Machine, project: string): Promise<boolean> {
  await say('npm install …');
  const npm = (machine.environment['OS'] ?? '').startsWith('Windows') ? 'npm.cmd' : 'npm';
  try {
    const { exitCode, stderr } = await runProgram(npm, ['install', '--no-audit', '--no-fund'], {
      cwd: project,
      timeoutMs: INSTALL_MS,
    });
    if (exitCode === 0) return true;
    await say(
      `${stderr.trim()}\nnpm install did not succeed (exit code ${exitCode ?? 'none'}): the files are there`,
    );
  } catch (error) {
    await say(`npm install could not be started (${(error as Error).message}): the files are there`);
  }
  return false;
}
