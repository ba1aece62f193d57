import { expect, it } from 'vitest';
import { loadConfig } from '../../src/config/find-config.js';
import { UsageError } from '../../src/model/errors.js';
import { type ConfigFiles, findConfig, plainState, quickState } from '../../src/config/locate-config.js';

function folder(contents: Readonly<Record<string, string>>): ConfigFiles {
  return {
    stat: async (path) => {
      const text = contents[path];
      return text === undefined ? undefined : { kind: 'file', size: text.length };
    },
    readText: async (path) => contents[path] as string,
  };
}

const THERE = folder({
  '/bot/flag.yaml': 'version: 1\nstate: flag\n',
  '/bot/variable.yaml': 'version: 1\nstate: variable\n',
  '/bot/tickwright.yaml': 'version: 1\nstate: default\n',
});
const query = { files: THERE, directory: '/bot', environment: {} };
const variable = { TICKWRIGHT_CONFIG: '/bot/variable.yaml' };

it('the flag counts before the variable, and the variable before the default name', async () => {
  expect(await findConfig({ ...query, environment: variable, flag: 'flag.yaml' })).toEqual({
    path: 'flag.yaml',
    origin: '--config',
  });
  expect(await findConfig({ ...query, environment: variable })).toEqual({
    path: '/bot/variable.yaml',
    origin: '$TICKWRIGHT_CONFIG',
  });
  expect(await findConfig({ ...query, environment: { TICKWRIGHT_CONFIG: '' } })).toEqual({
    path: 'tickwright.yaml',
    origin: 'default',
  });
});

it('both spellings of the default name are found, but not at once', async () => {
  expect(await findConfig({ ...query, files: folder({ '/bot/tickwright.yml': '' }) })).toMatchObject({
    path: 'tickwright.yml',
  });
  const both = folder({ '/bot/tickwright.yml': '', '/bot/tickwright.yaml': '' });
  await expect(findConfig({ ...query, files: both })).rejects.toThrow(
    'received tickwright.yaml and tickwright.yml',
  );
});

it('there may be none, unless one was named', async () => {
  const files = folder({});
  expect(await findConfig({ ...query, files })).toBeUndefined();
  expect(await loadConfig({ ...query, files })).toBeUndefined();
  await expect(findConfig({ ...query, files, flag: 'x.yaml' })).rejects.toThrow(
    '--config must name a configuration file, received x.yaml: nothing there',
  );
  await expect(findConfig({ ...query, files, environment: variable })).rejects.toThrow(
    '$TICKWRIGHT_CONFIG must name',
  );
});

it('it is read and checked, and problems name it as it was named', async () => {
  expect((await loadConfig(query))?.state).toBe('/bot/default');
  const files = folder({ '/bot/sub/a.yaml': 'version: 3\n' });
  await expect(loadConfig({ ...query, files, flag: 'sub/a.yaml' })).rejects.toThrow(
    'sub/a.yaml:1:10 version: expected 1',
  );
});

it('tells the state folder without a reader of YAML only where that would say the same', async () => {
  const values = [
    'var',
    './a/b',
    '/abs/x',
    '"in quotes"',
    "'single'",
    '~',
    'null',
    'true',
    '*alias',
    '&a b',
    '[x]',
  ];
  const more = [
    '"a\\tb"',
    '$HOME',
    '${HOME}',
    '|',
    '>-',
    '!!str x',
    '5',
    'a: b',
    'x # y',
    'x#y',
    '"x" # y',
    '',
  ];
  const forms = values
    .concat(more)
    .flatMap((value) => [
      `version: 1\nstate: ${value}\n`,
      `version: 1\nstate:   ${value}   \r\n`,
      `state : ${value}\nversion: 1\n`,
      `# state: other\nversion: 1\nstate: ${value}\n`,
      `{ version: 1, state: ${value} }\n`,
      `version: 1\nstate:\n  ${value}\n`,
      `version: 1\nstate: ${value}\n  and more\n`,
      `version: 1\nstate: ${value}\nstate: twice\n`,
      `version: 1\n"state": ${value}\n`,
    ]);
  const said = ['version: 1\n', ...forms].map(async (text) => {
    const quick = plainState(text);
    if (quick === undefined) return 0;
    const files = folder({ '/bot/tickwright.yaml': text });
    const loaded = await loadConfig({ ...query, files }).catch(() => undefined);
    // What cannot be loaded has no daemon; what can has its daemon in this folder and in no other one.
    if (loaded === undefined) return 0;
    expect([text, await quickState({ ...query, files })]).toEqual([text, loaded.state]);
    return 1;
  });
  const counted = (await Promise.all(said)).reduce<number>((sum, each) => sum + each, 0);
  expect(counted).toBeGreaterThan(20);
});

it.each([
  'stat',
  'readText',
] as const)('one that may not be read (%s) is unusable, whoever named it', async (call) => {
  const denied = () =>
    Promise.reject(Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' }));
  const files: ConfigFiles = { ...THERE, [call]: denied };
  const words = /a file that can be read, received .*flag\.yaml: EACCES: permission denied$/;
  const flagged = loadConfig({ ...query, files, flag: 'flag.yaml' });
  await expect(flagged).rejects.toBeInstanceOf(UsageError);
  await expect(flagged).rejects.toThrow(words);
  await expect(quickState({ ...query, files, flag: 'flag.yaml' })).rejects.toThrow(words);
});

it('one that was saved as UTF-16 is told so, and not shown letter by letter', async () => {
  const text = Buffer.from('version: 1\n', 'utf16le').toString('utf8');
  const files = folder({ '/bot/tickwright.yaml': text });
  const must =
    'tickwright.yaml must be text in UTF-8, received zero bytes, as of a file that was saved as UTF-16';
  await expect(loadConfig({ ...query, files })).rejects.toThrow(must);
  await expect(quickState({ ...query, files })).rejects.toThrow(must);
});
