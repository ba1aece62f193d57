import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { validate, ValidationSeverity } from 'dockerfile-utils';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { EXIT } from '../../src/cli/exit-code.js';
import { createProgram } from '../../src/cli/program.js';
import { missingTools } from '../support/tools.js';

const DEPLOY = fileURLToPath(new URL('../../config/deploy/', import.meta.url));
const read = (name: string) => readFileSync(join(DEPLOY, name), 'utf8');
const UNITS = readdirSync(DEPLOY).filter((name) => name.endsWith('.service'));
const BOT = 'tickwright@.service';
const PANIC = 'tickwright-panic@.service';

/** Every value of a setting, in the order of the file. */
function settings(unit: string, name: string): readonly string[] {
  return unit
    .split('\n')
    .flatMap((line) => (line.startsWith(`${name}=`) ? [line.slice(name.length + 1)] : []));
}

/** Runs the condition of the panic unit, whose `systemctl` says this state, and fails where it is `unknown`. */
function conditionOfPanic(instance: string, state: string) {
  const folder = mkdtempSync(join(tmpdir(), 'tickwright-condition-'));
  try {
    const says = state === 'unknown' ? 'exit 1' : `echo ${state}`;
    writeFileSync(join(folder, 'systemctl'), `#!/bin/sh\necho "$@" > "$ASKED"\n${says}\n`, { mode: 0o755 });
    const [condition = 'exit 99'] = settings(read(PANIC), 'ExecCondition');
    // What systemd does before it runs the line.
    const line = condition.replaceAll('%i', () => instance).replaceAll('$$', () => '$');
    const ASKED = join(folder, 'asked');
    const PATH = `${folder}:${process.env['PATH'] ?? ''}`;
    const { status } = spawnSync('sh', ['-c', line], { env: { PATH, ASKED } });
    return { status, asked: existsSync(ASKED) ? readFileSync(ASKED, 'utf8') : '' };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const without = missingTools('systemd-analyze');

describe.skipIf(without !== undefined)(`units${without === undefined ? '' : ` (${without})`}`, () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'tickwright-units-'));
    // The program is looked for, and is not installed here.
    for (const name of UNITS) writeUnit(name, read(name));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function writeUnit(name: string, text: string): void {
    writeFileSync(join(folder, name), text.replaceAll('/usr/bin/tickwright', process.execPath));
  }
  function analyze(...args: readonly string[]) {
    const { status, stdout, stderr } = spawnSync('systemd-analyze', args, { cwd: folder, encoding: 'utf8' });
    return { status, said: `${stdout}${stderr}`.trim() };
  }

  it.each(UNITS)('%s is what systemd understands, to the last word', (name) => {
    expect(analyze('verify', '--man=no', `./${name}`)).toEqual({ status: 0, said: '' });
  });

  it('with a misspelled key or a program that is not there would be found out', () => {
    writeUnit('misspelled@.service', read(BOT).replace('ProtectHome=', 'ProtectHomes='));
    expect(analyze('verify', './misspelled@.service').said).toContain("Unknown key 'ProtectHomes'");
    writeFileSync(join(folder, 'missing@.service'), read(BOT).replaceAll('/usr/bin/tickwright', '/no/such'));
    expect(analyze('verify', './missing@.service').status).not.toBe(0);
  });

  it.each(UNITS)('%s exposes at most 2.0 of 10', (name) => {
    const { status, said } = analyze('security', '--offline=true', '--threshold=20', `./${name}`);
    expect(said).toMatch(/exposure level for .*: [01]\.\d|2\.0/);
    expect(status).toBe(0);
  });

  it('that are open would be found out', () => {
    writeUnit('open@.service', read(BOT).replace(/^NoNewPrivileges[\s\S]*?\n\n/m, ''));
    expect(analyze('security', '--offline=true', '--threshold=20', './open@.service').status).not.toBe(0);
  });
});

describe('the units', () => {
  it.each(UNITS)('%s calls a command that there is, with options that it has', (name) => {
    const starts = [...read(name).matchAll(/^#? *ExecStart=\/usr\/bin\/tickwright (.+)$/gm)];
    expect(starts.length).toBeGreaterThan(0);
    for (const [, line = ''] of starts) {
      const [command = '', ...words] = line.split(' ');
      const found = createProgram(() => undefined).commands.find((each) => each.name() === command);
      const known = found?.options.map(({ long }) => long) ?? [];
      for (const word of words.filter((each) => each.startsWith('--'))) expect(known).toContain(word);
    }
  });

  it('start a bot anew for what starting anew can mend, and not for what it cannot', () => {
    const unit = read(BOT);
    expect(settings(unit, 'Restart')).toEqual(['on-failure']);
    const prevented = settings(unit, 'RestartPreventExitStatus').flatMap((list) =>
      list.split(' ').map(Number),
    );
    for (const code of [EXIT.bug, EXIT.recycle, EXIT.failure, EXIT.venueUnreachable]) {
      expect(prevented).not.toContain(code);
    }
    const hopeless = [
      EXIT.usage,
      EXIT.stopNotProven,
      EXIT.journalDamaged,
      EXIT.journalHeld,
      EXIT.keyRefused,
      EXIT.unusableConfig,
    ];
    expect(prevented.sort((a, b) => a - b)).toEqual([...hopeless].sort((a, b) => a - b));
  });

  it('cancel the orders of a bot that was given up, and never of one that another process runs well', () => {
    const unit = read(BOT);
    expect(settings(unit, 'OnFailure')).toEqual(['tickwright-panic@%i.service']);
    expect(settings(unit, 'SuccessExitStatus')).toEqual([String(EXIT.journalHeld)]);
    expect(settings(read(PANIC), 'ExecStart')[0]).toContain('panic --cancel');
  });

  it.each([
    ['activating', 'leave'],
    ['active', 'leave'],
    ['reloading', 'leave'],
    ['deactivating', 'leave'],
    ['failed', 'cancel'],
    ['inactive', 'cancel'],
    ['unknown', 'cancel'],
  ])('find a bot %s after a failure, and %s its orders', (state, does) => {
    const { status, asked } = conditionOfPanic('my\\x2dbot', state);
    expect(asked).toContain('tickwright@my\\x2dbot.service');
    // A status from 1 to 254 ends the unit there, and not as failed.
    expect(status).toBe(does === 'leave' ? 1 : 0);
  });

  it('let systemd hear from the child that speaks for Node, and leave no core with a key', () => {
    const unit = read(BOT);
    expect(settings(unit, 'Type')).toEqual(['notify']);
    expect(settings(unit, 'NotifyAccess')).toEqual(['all']);
    for (const name of UNITS) expect(settings(read(name), 'LimitCORE')).toEqual(['0']);
  });

  it('can see each other, or a lock of a living process would be taken for that of a dead one', () => {
    for (const name of UNITS) {
      expect(settings(read(name), 'ProtectProc')).toEqual([]);
      expect(settings(read(name), 'ProcSubset')).toEqual([]);
    }
  });
});

/** All that the linter can complain about is an error. */
const STRICT = {
  deprecatedMaintainer: ValidationSeverity.ERROR,
  directiveCasing: ValidationSeverity.ERROR,
  emptyContinuationLine: ValidationSeverity.ERROR,
  instructionCasing: ValidationSeverity.ERROR,
  instructionCmdMultiple: ValidationSeverity.ERROR,
  instructionEntrypointMultiple: ValidationSeverity.ERROR,
  instructionHealthcheckMultiple: ValidationSeverity.ERROR,
  instructionJSONInSingleQuotes: ValidationSeverity.ERROR,
  instructionWorkdirRelative: ValidationSeverity.ERROR,
};
const complaints = (text: string) => validate(text, STRICT).map(({ message }) => message);

describe('the container', () => {
  const dockerfile = read('Dockerfile');

  it('has a Dockerfile without a complaint of the linter, which sees planted mistakes', () => {
    expect(complaints(dockerfile)).toEqual([]);
    expect(complaints(dockerfile.replace('HEALTHCHECK', 'HEALTHCHEK'))).not.toEqual([]);
    expect(complaints(dockerfile.replace('--interval', '--intervall'))).not.toEqual([]);
    expect(complaints(dockerfile.replace('WORKDIR /bot', 'WORKDIR bot'))).not.toEqual([]);
    expect(complaints(`${dockerfile}CMD ["status"]\n`)).not.toEqual([]);
  });

  it('runs as nobody special, on a fixed major of Node, installs what is locked, and publishes nothing', () => {
    expect(dockerfile).toMatch(/^FROM node:24-[a-z-]+$/m);
    const last: readonly string[] = dockerfile.match(/^(?:USER|ENTRYPOINT|CMD|RUN) .*/gm) ?? [];
    expect(last.indexOf('USER node')).toBeGreaterThan(last.findLastIndex((line) => line.startsWith('RUN')));
    expect(dockerfile).toContain('npm ci --omit=dev --ignore-scripts');
    expect(dockerfile).not.toMatch(/^(?:EXPOSE|ADD) /m);
    expect(dockerfile).not.toMatch(/:latest/);
  });

  it('asks for its health by a command that there is, within the time of the check', () => {
    const [, words = '[]'] = /^HEALTHCHECK .*CMD (\[.*\])$/m.exec(dockerfile) ?? [];
    const [program, command] = JSON.parse(words) as string[];
    expect(program).toBe('tickwright');
    const names = createProgram(() => undefined).commands.map((each) => each.name());
    expect(names).toContain(command);
  });

  it('has a compose file: read-only, without capabilities, one at a time, stopped with time to cancel', () => {
    const { services } = parse(read('compose.yaml')) as { services: Record<string, Record<string, unknown>> };
    expect(services['bot']).toMatchObject({
      read_only: true,
      init: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      stop_grace_period: '60s',
    });
    expect(services['bot']).toHaveProperty('container_name');
    expect(services['bot']).not.toHaveProperty('ports');
  });

  it('ships with the package', () => {
    const root = fileURLToPath(new URL('../../', import.meta.url));
    const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { files: string[] };
    expect(files).toContain('config');
    expect(existsSync(join(DEPLOY, 'Dockerfile'))).toBe(true);
  });
});
