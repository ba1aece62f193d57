#!/usr/bin/env node
// Brings a clone to the state its npm scripts need: dependencies as locked, dist/ as built from src/.
// Runs before start, test, e2e, bench and check, and (build only) as `prepare`. Plain Node, because nothing is installed yet.
// Quiet when there is nothing to do; speaks only on stderr, so that `npm start --silent -- --json` stays one document.
//
//   (no flag)        install if needed, then build if needed
//   --prefer-prod    as above, but development tools are no reason to install while dist/ is up to date
//   --install-only   install if needed
//   --build-only     build if needed; never installs (this is `prepare`, which npm runs at the end of `npm ci`)
//   --force-build    install if needed, then build in any case
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const at = (...parts) => join(root, ...parts);
const flags = new Set(process.argv.slice(2));
const lockFile = at('.ci', '.setup.lock');
/** Longest that one setup may hold the lock; an older lock is a leftover whose process id was reused. */
const STALE_MS = 15 * 60_000;

class SetupFailed extends Error {
  constructor(code) {
    super(`failed with exit code ${code}`);
    this.code = code;
  }
}

function say(text) {
  process.stderr.write(`setup: ${text}\n`);
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

function mtimeMs(file) {
  return existsSync(file) ? statSync(file).mtimeMs : undefined;
}

/** Runs a child to its end; its output is shown only if it fails. */
function run(what, command, args, { env = {}, shell = false } = {}) {
  const start = Date.now();
  say(`${what} …`);
  const child = spawnSync(command, args, {
    cwd: root,
    env: { ...process.env, ...env },
    maxBuffer: 256 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell,
  });
  if (child.error === undefined && child.status === 0) {
    say(`${what}: done in ${((Date.now() - start) / 1000).toFixed(1)} s`);
    return;
  }
  process.stderr.write(child.stdout ?? '');
  process.stderr.write(child.stderr ?? '');
  const code = child.status ?? (child.signal === 'SIGINT' ? 130 : child.signal === 'SIGTERM' ? 143 : 1);
  say(
    `${what}: FAILED (${child.error?.message ?? (child.signal ? `signal ${child.signal}` : `exit code ${code}`)})`,
  );
  throw new SetupFailed(code);
}

// ---------------------------------------------------------------------------------------------- install

/** What npm installed last is what package-lock.json asks for (packages for other platforms aside). */
function installedAsLocked(hiddenLockFile) {
  const installed = readJson(hiddenLockFile)?.packages;
  const locked = readJson(at('package-lock.json'))?.packages;
  if (installed === undefined || locked === undefined) return false;
  for (const [path, entry] of Object.entries(locked)) {
    if (path === '') continue;
    const present = installed[path];
    if (
      present === undefined
        ? !entry.optional
        : present.version !== entry.version || present.integrity !== entry.integrity
    )
      return false;
  }
  return Object.keys(installed).every((path) => path in locked);
}

function needsInstall() {
  const hiddenLockFile = at('node_modules', '.package-lock.json');
  const installed = mtimeMs(hiddenLockFile);
  if (installed === undefined) return 'nothing is installed yet';
  if (installed < (mtimeMs(at('package-lock.json')) ?? 0)) {
    // A checkout rewrites the lock's mtime without changing a word of it; a second `npm ci` would be for nothing.
    if (!installedAsLocked(hiddenLockFile)) return 'package-lock.json changed';
    utimesSync(hiddenLockFile, new Date(), new Date());
  }
  const devToolsNeeded = !flags.has('--prefer-prod') || needsBuild();
  if (devToolsNeeded && !hasDevTools()) return 'development tools are missing';
  return undefined;
}

function hasDevTools() {
  return existsSync(compiler()) && existsSync(at('node_modules', 'vitest'));
}

function install(reason) {
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=warn'];
  const npmCli = process.env.npm_execpath;
  // TICKWRIGHT_SETUP tells the `prepare` of this very `npm ci` that its caller does the build.
  const env = { TICKWRIGHT_SETUP: '1' };
  const what = `installing dependencies with npm ci (${reason})`;
  if (npmCli?.endsWith('.js')) run(what, process.execPath, [npmCli, ...args], { env });
  else run(what, 'npm', args, { env, shell: process.platform === 'win32' });
}

// ------------------------------------------------------------------------------------------------ build

function compiler() {
  return at('node_modules', 'typescript', 'bin', 'tsc');
}

function filesUnder(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();
}

/** SHA-256 over names and contents of all that decides dist/: unlike mtimes it survives checkouts, copies and reverts. */
function fingerprint() {
  const hash = createHash('sha256');
  const config = [
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    '.ci/tsconfig.build.json',
    '.ci/program.mjs',
    '.ci/dashboard.mjs',
    '.ci/licenses.mjs',
  ].map((file) => at(file));
  for (const file of [...config, ...filesUnder(at('src'))].filter((path) => existsSync(path))) {
    const content = readFileSync(file);
    hash.update(`${file.slice(root.length)}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

function hasSource() {
  return filesUnder(at('src')).some((file) => file.endsWith('.ts'));
}

function needsBuild() {
  return hasSource() && readJson(at('dist', '.build.json'))?.fingerprint !== fingerprint();
}

function build() {
  for (const name of readdirSync(root).filter((entry) => entry.startsWith('.dist-')))
    rmSync(at(name), { recursive: true, force: true }); // left by a killed build; we hold the lock
  const built = fingerprint(); // before the compiler reads: a file saved during the build makes the next one
  // Beside dist and as deep as dist, so that the rename is atomic and the relative paths in source maps hold.
  const fresh = at(`.dist-${process.pid}`);
  const old = at(`.dist-${process.pid}-old`);
  try {
    run('declaring the types of src', process.execPath, [
      compiler(),
      '-p',
      at('.ci', 'tsconfig.build.json'),
      '--outDir',
      fresh,
    ]);
    run('bundling src into dist', process.execPath, [at('.ci', 'program.mjs'), fresh]);
    if (existsSync(at('src', 'daemon', 'dashboard'))) {
      run('bundling the dashboard', process.execPath, [at('.ci', 'dashboard.mjs'), fresh]);
    }
    const main = join(fresh, 'cli', 'main.js');
    if (existsSync(main)) chmodSync(main, 0o755);
    writeFileSync(join(fresh, '.build.json'), `${JSON.stringify({ fingerprint: built })}\n`);
    if (existsSync(at('dist'))) renameSync(at('dist'), old);
    renameSync(fresh, at('dist'));
  } finally {
    rmSync(fresh, { recursive: true, force: true });
    rmSync(old, { recursive: true, force: true });
  }
}

// ------------------------------------------------------------------------------------------------- lock

function alive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** One setup at a time in this clone: two `npm ci` or two builds at once would tear each other's files. */
function lock() {
  const mine = `${lockFile}.${process.pid}`;
  writeFileSync(mine, String(process.pid));
  try {
    for (let waited = false; ; waited = true) {
      try {
        linkSync(mine, lockFile); // atomic, and the lock has its owner's id from the first moment
        return;
      } catch (error) {
        if (error.code !== 'EEXIST') throw error;
      }
      const owner = readOwner(lockFile);
      if (owner === undefined) continue;
      if (!alive(owner.pid) || Date.now() - owner.since > STALE_MS) {
        steal(owner.pid);
        continue;
      }
      if (!waited) say(`waiting for another setup in this folder (process ${owner.pid})`);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
    }
  } finally {
    rmSync(mine, { force: true });
  }
}

function readOwner(file) {
  try {
    return { pid: Number(readFileSync(file, 'utf8')), since: statSync(file).mtimeMs };
  } catch {
    return undefined; // released in this moment
  }
}

/** Removes a dead owner's lock, by a rename, so that of two thieves one gets it; a live lock taken by mistake goes back. */
function steal(deadPid) {
  const taken = `${lockFile}.${process.pid}.stale`;
  try {
    renameSync(lockFile, taken);
    if (readOwner(taken)?.pid !== deadPid) linkSync(taken, lockFile);
  } catch {
    // somebody else was faster
  }
  rmSync(taken, { force: true });
}

function unlock() {
  if (readOwner(lockFile)?.pid === process.pid) rmSync(lockFile, { force: true });
}

// ------------------------------------------------------------------------------------------------- main

function buildOnly() {
  if (!needsBuild()) return;
  if (existsSync(compiler())) return withLock(() => needsBuild() && build());
  if (existsSync(at('dist'))) return say('typescript is not installed: dist stays as it is');
  say('typescript is not installed and there is no dist to run: use npm ci --include=dev');
  throw new SetupFailed(1);
}

function installAndBuild() {
  const buildWanted = () => !flags.has('--install-only') && (flags.has('--force-build') || needsBuild());
  if (needsInstall() === undefined && !buildWanted()) return;
  withLock(() => {
    const reason = needsInstall(); // again: whoever had the lock may have done it
    if (reason !== undefined) install(reason);
    if (buildWanted()) build();
  });
}

function withLock(work) {
  lock();
  try {
    work();
  } finally {
    unlock();
  }
}

if (flags.has('--build-only') && process.env.TICKWRIGHT_SETUP === '1') process.exit(0);
try {
  if (flags.has('--build-only')) buildOnly();
  else installAndBuild();
} catch (error) {
  if (!(error instanceof SetupFailed)) throw error;
  process.exitCode = error.code;
}
