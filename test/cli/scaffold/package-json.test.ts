import { describe, expect, it } from 'vitest';
import {
  mergedPackageJson,
  newPackageJson,
  packageName,
  packageSpec,
  type ProjectNeeds,
} from '../../../src/cli/scaffold/package-json.js';

const NEEDS: ProjectNeeds = {
  name: 'my-bot',
  scripts: { test: 'vitest run', check: 'tsc' },
  dependencies: { tickwright: '1.2.3' },
  devDependencies: { typescript: '7.0.2', vitest: '4.1.11' },
};

describe('a new package.json', () => {
  it('is private, a module, and has what a project needs', () => {
    const text = newPackageJson(NEEDS);
    expect(JSON.parse(text)).toEqual({ version: '0.0.0', private: true, type: 'module', ...NEEDS });
    expect(text.endsWith('}\n')).toBe(true);
  });
});

describe('a package.json that is there', () => {
  it('gets what it lacks and keeps what it says, in its order and with its indentation', () => {
    const given = `{
\t"name": "shop",
\t"scripts": {
\t\t"test": "jest"
\t},
\t"devDependencies": {
\t\t"vitest": "^3.0.0"
\t},
\t"license": "MIT"
}`;
    const { text, isChanged } = mergedPackageJson(given, 'package.json', NEEDS);
    expect(isChanged).toBe(true);
    expect(text).toBe(`{
\t"name": "shop",
\t"scripts": {
\t\t"test": "jest",
\t\t"check": "tsc"
\t},
\t"devDependencies": {
\t\t"vitest": "^3.0.0",
\t\t"typescript": "7.0.2"
\t},
\t"license": "MIT",
\t"dependencies": {
\t\t"tickwright": "1.2.3"
\t}
}`);
  });

  it('is the same to the byte when it lacks nothing, wherever it has it', () => {
    const given =
      '{"devDependencies":{"tickwright":"2.0.0"},"dependencies":{"vitest":"1","typescript":"5"},"scripts":{"test":"x","check":"y"}}';
    expect(mergedPackageJson(given, 'package.json', NEEDS)).toEqual({ text: given, isChanged: false });
  });

  it("gets a test where it has npm's placeholder for none, and keeps its line ends and its mark of byte order", () => {
    const given =
      '\uFEFF{\r\n  "scripts": { "test": "echo \\"Error: no test specified\\" && exit 1" },\r\n  "peerDependencies": { "vitest": "4" }\r\n}\r\n';
    const { text } = mergedPackageJson(given, 'package.json', NEEDS);
    expect(text.startsWith('\uFEFF{\r\n')).toBe(true);
    expect(text.replaceAll('\r\n', '')).not.toContain('\n');
    expect(JSON.parse(text.slice(1))).toEqual({
      scripts: { test: 'vitest run', check: 'tsc' },
      peerDependencies: { vitest: '4' },
      devDependencies: { typescript: '7.0.2' },
      dependencies: { tickwright: '1.2.3' },
    });
  });

  it.each([
    ['{', 'my/package.json must be JSON, received something else'],
    ['[]', 'my/package.json must be a JSON object, received another value'],
    ['{"scripts":[]}', 'scripts of my/package.json must be an object, received []'],
    ['{"dependencies":"x"}', 'dependencies of my/package.json must be an object, received "x"'],
  ])('is refused as %s', (given, message) => {
    expect(() => mergedPackageJson(given, 'my/package.json', NEEDS)).toThrow(message);
  });
});

describe('how a project names the package that runs', () => {
  const installed = (resolved?: string) => ({
    folder: '/x/node_modules/tickwright',
    version: '0.1.0',
    lock: JSON.stringify({
      packages: { 'node_modules/tickwright': resolved === undefined ? {} : { resolved } },
    }),
  });

  it.each([
    [
      'a clone by its folder',
      { folder: '/home/me/tickwright', version: '0.1.0', lock: undefined },
      'file:../tickwright',
    ],
    [
      'what a registry gave by its version',
      installed('https://registry.example/tickwright-0.1.0.tgz'),
      '0.1.0',
    ],
    [
      'a packed file by its path',
      installed('file:../dist/tickwright-0.1.0.tgz'),
      'file:../../dist/tickwright-0.1.0.tgz',
    ],
    [
      'a repository as it was named',
      installed('git+ssh://git@example.com/t.git#abc'),
      'git+ssh://git@example.com/t.git#abc',
    ],
    ['what nobody wrote down by its version', installed(), '0.1.0'],
    ['what has a broken lock by its version', { ...installed(), lock: '{' }, '0.1.0'],
    ['what has no lock by its version', { ...installed(), lock: undefined }, '0.1.0'],
  ])('is %s', (_, place, spec) => {
    const project = place.folder.startsWith('/x') ? '/x/sub' : '/home/me/my-bot';
    expect(packageSpec(place, project)).toBe(spec);
  });
});

describe("a folder's name as a package's", () => {
  it.each([
    ['/home/me/My Bot!', 'my-bot'],
    ['/tmp/alpha_2', 'alpha-2'],
    ['/tmp/---', 'my-bot'],
    ['/', 'my-bot'],
  ])('of %s is %s', (folder, name) => {
    expect(packageName(folder)).toBe(name);
  });
});
