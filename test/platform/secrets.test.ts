import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { UsageError } from '../../src/model/errors.js';
import { nodeFiles } from '../../src/platform/files.js';
import { readCredential, readSecretFile, takeSecretVariable } from '../../src/platform/secrets.js';

let directory: string;
beforeEach(async () => {
  directory = await nodeFiles.temporaryDirectory('tickwright-test-');
});
afterEach(() => nodeFiles.remove(directory));

async function secretFile(contents: string, mode = 0o600): Promise<string> {
  const path = join(directory, 'secret');
  await writeFile(path, contents);
  await chmod(path, mode);
  return path;
}

describe('a secret file', () => {
  it.each([
    'canary/+=',
    'canary/+=\n',
    'canary/+=\r\n',
  ])('holds one word, with a line end or without: %j', async (contents) => {
    expect(await readSecretFile(await secretFile(contents))).toBe('canary/+=');
  });

  it('may be read-only', async () => {
    expect(await readSecretFile(await secretFile('canary', 0o400))).toBe('canary');
  });

  it.each([0o640, 0o604, 0o660, 0o601, 0o644])('is refused with mode %o', async (mode) => {
    const path = await secretFile('canary', mode);
    await expect(readSecretFile(path)).rejects.toThrow(UsageError);
    await expect(readSecretFile(path)).rejects.toThrow(`received mode ${mode.toString(8)}`);
  });

  it.each([
    '',
    '\n',
    'two canaries',
    'canary\ncanary',
    'canäry',
    `${'canary'.repeat(1_000)}`,
  ])('is refused, and not shown, when it holds %j', async (contents) => {
    const path = await secretFile(contents);
    await expect(readSecretFile(path)).rejects.toThrow(UsageError);
    await expect(readSecretFile(path)).rejects.not.toThrow(/canary|canär|canaries/);
  });

  it('is refused when it is not there or no file', async () => {
    await expect(readSecretFile(join(directory, 'nothing'))).rejects.toThrow(
      /must be readable, received ENOENT/,
    );
    await mkdir(join(directory, 'folder'), { mode: 0o700 });
    await expect(readSecretFile(join(directory, 'folder'))).rejects.toThrow(/must be a regular file/);
  });

  it('is judged by what a link points to', async () => {
    const path = await secretFile('canary', 0o644);
    await symlink(path, join(directory, 'link'));
    await expect(readSecretFile(join(directory, 'link'))).rejects.toThrow(/mode 644/);
  });

  it.skipIf(process.geteuid?.() !== 0)(
    'is refused when it belongs to somebody else (needs root to make one)',
    async () => {
      const { chown } = await import('node:fs/promises');
      const path = await secretFile('canary');
      await chown(path, 12_345, 12_345);
      await expect(readSecretFile(path)).rejects.toThrow(/must belong to user 0, received owner 12345/);
    },
  );
});

describe('a secret variable', () => {
  it('is taken out of the environment', () => {
    vi.stubEnv('TICKWRIGHT_TEST_SECRET', 'canary');
    expect(takeSecretVariable('TICKWRIGHT_TEST_SECRET')).toBe('canary');
    expect(process.env['TICKWRIGHT_TEST_SECRET']).toBeUndefined();
    expect(takeSecretVariable('TICKWRIGHT_TEST_SECRET')).toBeUndefined();
  });

  it('is refused when it holds no word', () => {
    vi.stubEnv('TICKWRIGHT_TEST_SECRET', '');
    expect(() => takeSecretVariable('TICKWRIGHT_TEST_SECRET')).toThrow(/must hold one word/);
  });
});

describe('a credential of the system', () => {
  it.each([0o400, 0o440, 0o600])('may have mode %o, as access lists show it', async (mode) => {
    expect(await readCredential(await secretFile('canary', mode))).toBe('canary');
  });

  it('is refused when everybody can read it', async () => {
    await expect(readCredential(await secretFile('canary', 0o444))).rejects.toThrow('received mode 444');
  });
});
