import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { KEYS, MAIN, ROOT, run, withFolder } from './program.js';

describe('what the user got wrong', () => {
  it.each([
    [['nonsense'], 2, "unknown command 'nonsense'"],
    [[], 2, 'Usage: tickwright'],
    [['run', 'x.ts', '--liev'], 2, 'Did you mean --live?'],
    [['run', 'no-such-strategy'], 2, 'market-maker, sma-cross'],
    [['run', 'no/such/file.ts'], 2, 'no/such/file.ts must be a strategy file'],
    [['run', 'market-maker', '--set', 'widht=2'], 2, 'market-maker.widht must be one of'],
    [['run', 'market-maker', '--set', 'average=0'], 2, 'must be a whole number of at least 1, received "0"'],
    [
      ['run', 'market-maker', '--live', '--venue', 'https://api.example.com'],
      2,
      'simulated venue on this machine',
    ],
    [['run', 'market-maker', '--venue', 'http://api.example.com'], 2, 'must be https://'],
    [['run', 'market-maker', '--live', '--venue', 'http://127.0.0.1:9'], 2, 'TICKWRIGHT_VENUE__API_KEY'],
    [['run', 'market-maker', '--venue', 'http://127.0.0.1:9'], 69, 'http://127.0.0.1:9 does not answer'],
    [['backtest', 'sma-cross', '--data', 'no/such/folder'], 2, 'no/such/folder'],
    [['backtest', 'sma-cross', '--fill', 'magic'], 2, 'Allowed choices are through, queue, touch, all'],
    [['backtest', 'sma-cross', '--config', 'no.yaml'], 2, '--config must name a configuration file'],
    [['data', 'check', 'no/such/folder'], 2, 'no/such/folder'],
    [['parity', 'no-such-capture'], 2, 'no-such-capture must be a capture'],
    [['journal', 'verify', 'no/such/folder'], 2, 'no/such/folder must be the folder of a journal'],
    [['venue', '--account', 'keyandsecret'], 2, '--account must be KEY:SECRET'],
    [['venue', '--fill', 'touch'], 2, '--fill must come with a --tape, received touch'],
    [
      ['venue', '--port', '0', '--deposit', 'XYZ=5'],
      2,
      'an asset must be one of USD, BTC, TWT, received XYZ',
    ],
    [['venue', '--faults', 'no/such.yaml'], 2, '--faults must be a file, received no/such.yaml'],
    [['order', '--pair', 'X', '--yes'], 2, '--side must be given, or a file of orders with --bulk'],
    [['order', '--pair', 'X', '--side', 'buy', '--quantity', '1'], 2, '--yes must be given where nobody'],
    [['order', '--pair', 'X', '--bulk', 'no.json', '--yes'], 2, 'no.json: expected a file of orders'],
    [['cancel', '--yes'], 2, 'ids of orders or --all must be given'],
    [['cancel', '1', '--all', '--yes'], 2, 'either ids or --all must be given'],
    [['cancel', '1', '--pair', 'X', '--yes'], 2, '--pair must go with --all'],
    [['close', '--pair', 'X'], 2, '--yes must be given where nobody'],
    [['fund', '1', '--pair', 'X'], 2, '--yes must be given where nobody'],
    [['withdraw', '--asset', 'BTC', '--quantity', '1'], 2, 'a person at a terminal'],
    [['positions', '--limit', '5'], 2, 'must go with --state completed'],
    [['orders', '1', '--state', 'all'], 2, 'ids must stand alone'],
    [['request', 'POST', '/auth/order', 'pair', '--yes'], 2, 'a field must be name=value, received "pair"'],
    [['request', 'GET', '/time', '--auth', 'signed'], 2, 'there is no body to sign'],
    [['time', '--profile', 'no/such.yaml'], 2, 'no/such.yaml: no such file'],
    [['help', 'nothing-known'], 2, 'received nothing-known'],
  ])('%j ends with %d and says %j', async (args, code, said) => {
    const ended = await run(args);
    expect(ended.stderr).toContain(said);
    expect(ended.stderr).not.toMatch(/\n\s+at /);
    expect(ended.stdout).toBe('');
    expect(ended.code).toBe(code);
  });

  it('may be a working directory that is no longer there', () =>
    withFolder(async (folder) => {
      const gone = join(folder, 'gone');
      const script = `mkdir ${gone} && cd ${gone} && rmdir ${gone} && exec ${process.execPath} ${MAIN} "$@"`;
      for (const args of [['doctor'], ['backtest', 'sma-cross'], ['--version']]) {
        const { status, stdout, stderr } = spawnSync('sh', ['-c', script, 'sh', ...args], {
          encoding: 'utf8',
        });
        expect(stderr).toBe(
          'error: the working directory must be there, received one that was removed (cd to another one)\n',
        );
        expect([status, stdout]).toEqual([2, '']);
      }
    }));

  it('in a configuration is named by file, line and column, with a caret', () =>
    withFolder(async (cwd) => {
      await writeFile(join(cwd, 'tickwright.yaml'), 'version: 1\nlimits:\n  maxPosition: 0.1\n');
      const { code, stderr } = await run(['run', 'market-maker'], { cwd });
      expect(code).toBe(2);
      expect(stderr).toContain('tickwright.yaml:3:');
      expect(stderr).toMatch(/\n\s+\|\s+\^\^\^\n/);
    }));

  it('in the parameters of a configuration is named by its place there', () =>
    withFolder(async (cwd) => {
      const file = join(ROOT, 'strategies', 'market-maker.ts');
      const strategy = `strategies:\n  - file: ${file}\n    pair: USD_BTC_PERP\n    params: { `;
      for (const [params, said] of [
        ['widht: 2 }', /tickwright\.yaml:5:15 .*market-maker\.widht must be one of/],
        ['average: 0 }', /tickwright\.yaml:5:24 .*must be a whole number of at least 1, received "0"/],
      ] as const) {
        await writeFile(join(cwd, 'tickwright.yaml'), `version: 1\n${strategy}${params}\n`);
        const { code, stderr } = await run(['run'], { cwd });
        expect(stderr).toMatch(said);
        expect(code).toBe(2);
      }
    }));

  it('in the syntax of a strategy is named by its own line', () =>
    withFolder(async (cwd) => {
      await writeFile(
        join(cwd, 'my.ts'),
        "import { defineStrategy } from 'tickwright';\n\nexport default defineStrategy({;\n",
      );
      const { code, stderr } = await run(['backtest', 'my.ts'], { cwd });
      expect(code).toBe(2);
      expect(stderr).toContain('my.ts:3:');
    }));

  it.each([
    ['rsi', 'tickwright', ', and tickwright/indicators does'],
    ['defineStrategy', 'tickwright/indicators', ', and tickwright does'],
    ['rsj', 'tickwright', ''],
    ['toString', 'tickwright', ''],
  ])('in an import of %s from %s is named with the module that has it', (name, module, elsewhere) =>
    withFolder(async (cwd) => {
      const text = `import { ${name} } from '${module}';\nexport default ${name};\n`;
      await writeFile(join(cwd, 'misplaced.ts'), text);
      const { code, stderr } = await run(['backtest', 'misplaced.ts'], { cwd });
      const reason = `imports must exist, received ${name}, which the module does not export${elsewhere}`;
      expect(stderr.split('\n')[0]).toMatch(new RegExp(`misplaced.ts:1:10: ${reason}$`));
      expect(code).toBe(2);
    }));

  it('in the code of a strategy is named by the line that threw', () =>
    withFolder(async (cwd) => {
      const source = [
        "import { defineStrategy } from 'tickwright';",
        'export default defineStrategy({',
        "  name: 'throws',",
        '  create: () => ({',
        '    onTrade() {',
        "      throw new Error('the strategy has had enough');",
        '    },',
        '  }),',
        '});',
        '',
      ];
      await writeFile(join(cwd, 'my.ts'), source.join('\n'));
      for (const args of [
        ['backtest', 'my.ts'],
        ['demo', '--strategy', 'my.ts', '--for', '5s'],
      ]) {
        const { code, stderr } = await run(args, { cwd });
        expect(code, args[0]).toBe(1);
        expect(stderr).toMatch(/my\.ts:6:\d+: the strategy has had enough/);
        expect(stderr).not.toContain('dist/');
      }
    }));
});

it('an address with a password in it is refused without repeating the password', async () => {
  const address = 'https://me:hunter2@example.com';
  const { code, stdout, stderr } = await run(['run', 'sma-cross', '--live', '--venue', address], {
    env: KEYS,
  });
  expect(code).toBe(2);
  expect(stderr).toContain("the venue's address must have no user");
  expect(stdout + stderr).not.toContain('hunter2');
});

it.skipIf(!existsSync('/dev/full'))(
  `a result for which there is no room is told once${existsSync('/dev/full') ? '' : ' (there is no /dev/full here)'}`,
  () => {
    const full = openSync('/dev/full', 'w');
    try {
      const args = ['backtest', 'sma-cross', '--no-save', '--json'];
      const { status, stderr } = spawnSync(process.execPath, [MAIN, ...args], {
        cwd: ROOT,
        stdio: ['ignore', full, 'pipe'],
        encoding: 'utf8',
      });
      expect(stderr.match(/ENOSPC/g), stderr).toHaveLength(1);
      expect(status).toBe(1);
    } finally {
      closeSync(full);
    }
  },
);
