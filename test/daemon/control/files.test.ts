/** What the control surface leaves on the disk, and what it takes from there. */
import { execFileSync } from 'node:child_process';
import { chmod, lstat, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { demandDifferent, tokenIn } from '../../../src/daemon/control/tokens.js';
import { nodeFiles } from '../../../src/platform/files.js';
import { type HttpServer, serveLoopback, serveSocket } from '../../../src/platform/http-server.js';
import { readSecretFile } from '../../../src/platform/secrets.js';
import { fitsSocket, shortSocketPath } from '../../../src/platform/socket-path.js';
import { askSocket } from '../../../src/platform/socket-request.js';

let folder: string;
const servers: HttpServer[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tickwright-files-'));
});
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
  await rm(folder, { recursive: true, force: true });
});

describe('a token', () => {
  const parts = {
    files: nodeFiles,
    readSecret: (path: string) => readSecretFile(path, { links: false }),
    random: () => 'n'.repeat(43),
  };
  const path = () => join(folder, 'read.token');

  it('is made once, for its owner alone', async () => {
    expect(await tokenIn(parts, path())).toBe('n'.repeat(43));
    expect((await stat(path())).mode & 0o777).toBe(0o600);
    expect(await tokenIn({ ...parts, random: () => 'other'.repeat(9) }, path())).toBe('n'.repeat(43));
  });

  it.each([0o640, 0o604, 0o660, 0o666, 0o644, 0o620, 0o601])('is refused with mode %o', async (mode) => {
    await writeFile(path(), `${'t'.repeat(43)}\n`, { mode: 0o600 });
    await chmod(path(), mode);
    await expect(tokenIn(parts, path())).rejects.toThrow(/closed to group and others/);
  });

  it('is refused when it is a link, a folder or a pipe', async () => {
    await writeFile(join(folder, 'elsewhere'), `${'t'.repeat(43)}\n`, { mode: 0o600 });
    await symlink(join(folder, 'elsewhere'), path());
    await expect(tokenIn(parts, path())).rejects.toThrow(/must be readable, received ELOOP/);
    await rm(path());
    await mkdir(path(), { mode: 0o700 });
    await expect(tokenIn(parts, path())).rejects.toThrow(/regular file/);
    await rm(path(), { recursive: true });
    execFileSync('mkfifo', ['-m', '600', path()]);
    await expect(tokenIn(parts, path())).rejects.toThrow(/regular file/);
  });

  it.each([
    '',
    'short',
    `${'t'.repeat(43)} ${'u'.repeat(43)}`,
    't'.repeat(300),
    `${'t'.repeat(40)}\n\n`,
  ])('is refused when it is %j', async (text) => {
    await writeFile(path(), text, { mode: 0o600 });
    await expect(tokenIn(parts, path())).rejects.toThrow(/must hold/);
  });

  it('never shows up in what is said about it', async () => {
    await writeFile(path(), 'secret/secret/secret/secret/secret/secret/s', { mode: 0o600 });
    await expect(tokenIn(parts, path())).rejects.toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('secret/') as string }),
    );
  });

  it('to read with is another one than the one to control with', () => {
    expect(() => demandDifferent('a', 'b')).not.toThrow();
    expect(() => demandDifferent('a', 'a')).toThrow(/must be different/);
  });
});

describe('the socket', () => {
  const path = () => join(folder, 'control.sock');
  const serve = async () => {
    const server = await serveSocket((_, outgoing) => outgoing.end('here'), path());
    servers.push(server);
    return server;
  };
  const said = async () =>
    (await askSocket({ socket: path(), method: 'GET', path: '/', timeoutMs: 2_000 }))?.body;

  it('is for its owner alone, and leaves nothing else behind', async () => {
    const server = await serve();
    expect((await stat(path())).mode & 0o777).toBe(0o600);
    expect(await said()).toBe('here');
    expect((await nodeFiles.list(folder)).map(({ name }) => name)).toEqual(['control.sock']);
    await server.close();
    expect(await nodeFiles.list(folder)).toEqual([]);
  });

  it('takes the place of one that a dead process left', async () => {
    const dead = createServer();
    await new Promise<void>((resolve) => dead.listen(path(), resolve));
    // What a kill leaves: nobody listens, and the file is there.
    await serve();
    expect(await said()).toBe('here');
    await new Promise((resolve) => dead.close(resolve));
  });

  it('takes nothing else away: a file, a folder, a link to a file', async () => {
    await writeFile(path(), 'precious');
    await expect(serve()).rejects.toThrow(/must be a socket or nothing/);
    expect(await readFile(path(), 'utf8')).toBe('precious');
    await rm(path());
    await writeFile(join(folder, 'target'), 'precious');
    await symlink(join(folder, 'target'), path());
    await expect(serve()).rejects.toThrow(/must be a socket or nothing/);
    expect(await readFile(join(folder, 'target'), 'utf8')).toBe('precious');
  });

  it('has a short path in a private folder where its own is too long, the same each time', async () => {
    const long = join(folder, 'a'.repeat(100), 'control.sock');
    expect(fitsSocket(path())).toBe(true);
    expect(fitsSocket(long)).toBe(false);
    const short = await shortSocketPath(long);
    expect(fitsSocket(short)).toBe(true);
    expect(await shortSocketPath(long)).toBe(short);
    expect((await lstat(join(short, '..'))).mode & 0o777).toBe(0o700);
    await chmod(join(short, '..'), 0o755);
    await expect(shortSocketPath(long)).rejects.toThrow(/closed to others/);
    await rm(join(short, '..'), { recursive: true });
    await symlink(folder, join(short, '..'));
    await expect(shortSocketPath(long)).rejects.toThrow(/closed to others/);
    await rm(join(short, '..'));
  });
});

describe('the address', () => {
  it.each(['0.0.0.0', '::', '192.168.1.5', 'example.com', ''])('%j is refused', async (host) => {
    await expect(serveLoopback(() => undefined, { host, port: 0 })).rejects.toThrow(/this machine only/);
  });
});
