import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/**
 * Plants violations in a small copy of the tree and runs the real configuration over it, once. A planted line ends with
 * `//! rule` for each finding it must cause; every other line must cause none.
 */

const repository = fileURLToPath(new URL('../../', import.meta.url));

/** The layer table of docs/architecture, written a second time on purpose. */
const mayImport: Record<string, string> = {
  model: '',
  ports: 'model',
  indicators: '',
  strategy: 'model indicators',
  engine: 'model strategy',
  gate: 'model',
  session: 'model ports engine gate',
  client: 'model ports',
  'market-data': 'model ports',
  execution: 'model ports gate',
  venue: 'model ports',
  storage: 'model ports',
  ledger: 'model ports',
  runner: 'model ports strategy engine gate session client market-data execution ledger storage',
  simulation:
    'model ports indicators strategy engine gate session client market-data execution ledger venue storage config loader runner',
  certify:
    'model ports indicators strategy engine gate session client market-data execution ledger venue storage config loader runner simulation',
  config: 'model strategy',
  loader: 'model strategy',
  backtest: 'model ports indicators strategy engine gate session venue storage config loader',
  testing:
    'model ports indicators strategy engine gate session client market-data execution ledger runner venue storage config loader simulation backtest',
  platform: 'model ports',
  withdraw: 'model ports client',
  daemon:
    'model ports indicators strategy engine gate session client market-data execution ledger runner venue storage config loader simulation backtest testing platform',
  cli: 'model ports indicators strategy engine gate session client market-data execution ledger runner venue storage config loader simulation certify backtest testing platform daemon',
};
const folders = Object.keys(mayImport);

/** Who may import which package; a package that is not named for a folder is forbidden there. */
const packages: Record<string, string> = {
  'decimal.js': '', // model/decimal.ts, a file of its own below
  rxjs: 'strategy session market-data execution runner simulation backtest testing daemon cli',
  zod: 'client config',
  yaml: 'config',
  esbuild: 'loader',
  'js-tokens': 'loader',
  'apache-arrow': 'storage',
  hono: 'daemon',
  '@hono/node-server': 'daemon',
  'prom-client': 'daemon',
  pino: 'platform daemon cli',
  commander: 'cli',
  '@commander-js/extra-typings': 'cli',
  picocolors: 'cli',
  'cli-table3': 'cli',
  vitest: 'testing',
  'fast-check': 'testing',
  undici: '', // client: by name, below
  'node:path': 'storage config loader runner simulation certify backtest daemon cli platform',
  'node:url': 'loader cli platform',
  'node:fs': 'platform',
  'node:fs/promises': 'platform',
  'node:http': 'platform', // and venue/http, below
  'node:https': 'platform',
  'node:net': 'platform',
  'node:os': 'platform',
  'node:child_process': 'platform',
  'node:timers': 'platform',
  'node:timers/promises': 'platform',
  'node:worker_threads': 'platform',
  'node:process': 'platform',
  'node:perf_hooks': 'platform',
};

const importsRule = 'eslint(no-restricted-imports)';
const globalsRule = 'eslint(no-restricted-globals)';
const propertiesRule = 'eslint(no-restricted-properties)';

const planted: Record<string, string> = {
  // what the probes below import
  ...Object.fromEntries(folders.map((folder) => [`src/${folder}/word.ts`, 'export const word = 1;'])),
  'src/unknown/word.ts': 'export const word = 1;',
  'src/venue/core/word.ts': 'export const word = 1;',
  'src/venue/faults/word.ts': 'export const word = 1;',
  'src/venue/http/word.ts': 'export const word = 1;',
  'src/index.ts': `
    export { word } from './model/word.js';
    export * as indicators from './indicators/word.js';
    export { word as strategy } from './strategy/word.js';
    export { word as engine } from './engine/word.js'; //! ${importsRule}`,

  // every folder against every other, and against every package
  ...Object.fromEntries(
    folders.map((folder) => [
      `src/${folder}/probe.ts`,
      [
        ...[...folders, 'unknown'].map((other) => {
          const free = other === folder || mayImport[folder]?.split(' ').includes(other);
          const path = other === folder ? './word.js' : `../${other}/word.js`;
          return `export { word as ${camel(other)} } from '${path}';${free ? '' : ` //! ${importsRule}`}`;
        }),
        ...Object.entries(packages).map(([name, where]) => {
          const free = where.split(' ').includes(folder);
          return `export * as ${camel(name)} from '${name}';${free ? '' : ` //! ${importsRule}`}`;
        }),
        `export * as publicName from '../index.js'; //! ${importsRule}`,
        `export * as ownName from 'tickwright'; //! ${importsRule}`,
      ].join('\n'),
    ]),
  ),

  'src/unknown/probe.ts': `
    export { word } from '../model/word.js'; //! ${importsRule}`,

  // each form of an import
  'src/engine/forms.ts': `
    import { word } from '../client/word.js'; //! ${importsRule}
    import type { word as typeOnly } from '../daemon/word.js'; //! ${importsRule}
    import '../withdraw/word.js'; //! ${importsRule}
    export * from '../client/word.js'; //! ${importsRule}
    export const lazy = () => import('../client/word.js'); //! ${importsRule}
    export const computed = (name: string): Promise<unknown> => import(name); //! computed-import
    export const template = () => import(\`../client/word.js\`); //! computed-import
    export type Inline = typeof import('../client/word.js'); //! typescript(consistent-type-imports)
    export { word as around } from './../client/word.js'; //! detour
    export { word as across } from '../model/../client/word.js'; //! detour
    export const use = (x: typeof typeOnly) => word + x;`,

  'src/model/decimal.ts': `
    export { Decimal } from 'decimal.js';
    export { word } from './word.js';
    export * as other from 'rxjs'; //! ${importsRule}`,

  'src/model/hash.ts': `
    import { createHash, createHmac, randomUUID } from 'node:crypto'; //! ${importsRule}
    export const use = [createHash, createHmac, randomUUID];`,

  'src/client/hash.ts': `
    import { createHmac, randomBytes } from 'node:crypto'; //! ${importsRule}
    export const use = [createHmac, randomBytes];`,

  'src/client/http.ts': `
    import { Pool, RetryAgent } from 'undici'; //! ${importsRule}
    export { request } from 'undici';
    export * as everything from 'undici'; //! ${importsRule}
    export const again = async () => (await import('undici')).RetryAgent; //! ${propertiesRule}
    export const use = [Pool, RetryAgent];`,

  'src/ports/types.ts': `
    import type { Observable } from 'rxjs';
    import { of } from 'rxjs/internal/observable/of'; //! ${importsRule}
    export { from } from 'rxjs'; //! ${importsRule}
    export const none: Observable<number> = of(1);`,

  'src/venue/http/server.ts': `
    export { word } from '../core/word.js';
    export { word as own } from '../word.js';
    export { word as model } from '../../model/word.js';
    export { word as client } from '../../client/word.js'; //! ${importsRule}
    export { word as index } from '../../index.js'; //! ${importsRule}
    export { createServer } from 'node:http';
    export { Hono } from 'hono'; //! ${importsRule}`,

  'src/venue/http/records/order.ts': `
    export { word } from '../../../model/word.js';
    export { word as core } from '../../core/word.js';
    export { word as own } from '../../word.js';
    export { word as client } from '../../../client/word.js'; //! ${importsRule}
    export { word as index } from '../../../index.js'; //! ${importsRule}`,

  'src/venue/faults/plan.ts': `
    export { word } from './word.js';
    export { word as model } from '../../model/word.js';
    export { word as core } from '../core/word.js'; //! ${importsRule}
    export { word as http } from '../http/word.js'; //! ${importsRule}
    export { word as own } from '../word.js'; //! ${importsRule}
    export { word as port } from '../../ports/word.js'; //! ${importsRule}
    export { createHash } from 'node:crypto'; //! ${importsRule}`,

  'src/venue/tape/word.ts': 'export const word = 1;',
  'src/venue/synthetic/street.ts': `
    export { word } from '../word.js';
    export { word as core } from '../core/word.js';
    export { word as model } from '../../model/word.js';
    export { word as fills } from '../tape/word.js'; //! ${importsRule}`,
  // the world that fill models are judged by
  'test/model-range/coverage-world.ts': `
    export { word } from '../../src/venue/core/word.js';
    export { word as fills } from '../../src/venue/tape/word.js'; //! ${importsRule}
    export { word as backtest } from '../../src/backtest/word.js'; //! ${importsRule}`,
  'test/model-range/cover.ts': `
    export { word as fills } from '../../src/venue/tape/word.js';`,

  'src/venue/core/match.ts': `
    export { Hono } from 'hono'; //! ${importsRule}
    export { word } from '../word.js';
    export { word as fills } from '../tape/word.js'; //! ${importsRule}
    export { word as model } from '../../model/word.js';
    export { word as engine } from '../../engine/word.js'; //! ${importsRule}`,

  'src/daemon/daemon-api.ts': 'export interface Status { readonly pid: number }; export const code = 1;',

  // another program: it runs in the browser
  'src/daemon/dashboard/page.ts': `
    import type { Status } from '../daemon-api.js';
    import { code } from '../daemon-api.js'; //! ${importsRule}
    export { word } from '../word.js'; //! ${importsRule}
    export { word as model } from '../../model/word.js'; //! ${importsRule}
    export { word as index } from '../../index.js'; //! ${importsRule}
    export { render } from 'preact';
    export { useEffect } from 'preact/hooks';
    export { signal } from '@preact/signals';
    export { render as compat } from 'preact/compat'; //! ${importsRule}
    export { Hono } from 'hono'; //! ${importsRule}
    export { join } from 'node:path'; //! ${importsRule}
    export { now } from './browser.js';
    export const a = () => fetch('/'); //! ${globalsRule}
    export const b = () => window.location; //! ${globalsRule}
    export const c = ({ pid }: Status) => code + pid;`,

  'src/daemon/dashboard/browser.ts': `
    export const now = () => [Date.now(), performance.now()];
    export const a = () => fetch('/');`,

  'strategies/deep.ts': `
    import { word } from 'tickwright';
    import { something } from 'tickwright/indicators';
    import { map } from 'rxjs';
    import { word as deep } from 'tickwright/dist/model/word.js'; //! ${importsRule}
    import { word as relative } from '../src/model/word.js'; //! ${importsRule}
    import { readFileSync } from 'node:fs'; //! ${importsRule}
    import { other } from './other.js'; //! ${importsRule}
    export const now = () => Date.now(); //! ${globalsRule}
    export default [word, something, map, deep, relative, readFileSync, other];`,

  'src/strategy/bans.ts': `
    export const a = () => new Date(); //! ${globalsRule}
    export const b = () => Date.now(); //! ${globalsRule}
    export const c = () => performance.now(); //! ${globalsRule}
    export const d = () => setTimeout(a, 1); //! ${globalsRule}
    export const e = () => setInterval(a, 1); //! ${globalsRule}
    export const f = () => setImmediate(a); //! ${globalsRule}
    export const g = () => queueMicrotask(() => undefined); //! ${globalsRule}
    export const h = () => process.env['HOME']; //! ${globalsRule}
    export const i = () => fetch('http://127.0.0.1'); //! ${globalsRule}
    export const j = () => crypto.randomUUID(); //! ${globalsRule}
    export const k = () => Math.random(); //! ${propertiesRule}
    export const { random } = Math; //! ${propertiesRule}
    export const l = () => globalThis.Date.now(); //! ${globalsRule}
    export const { setTimeout: later } = globalThis; //! ${globalsRule}
    export const m = () => AbortSignal.timeout(5); //! ${propertiesRule}
    export const n = () => console.log(1); //! eslint(no-console)
    export const o = (Date: number) => Date; // a local name is free
    export const p = (at: Date) => at.getTime(); // so is the type
    export default a; //! import(no-default-export)`,

  'src/platform/free.ts': `
    export const a = () => [Date.now(), performance.now(), Math.random(), process.pid, crypto.randomUUID()];
    export const b = () => setTimeout(a, 1);
    export const c = () => console.log(1); //! eslint(no-console)`,

  'src/cli/console.ts': `
    export const a = () => console.log(1);
    export const b = () => process.exit(1); //! ${globalsRule}`,

  'src/cli/connection/word.ts': 'export const word = 1;',
  'src/cli/daemon/word.ts': 'export const word = 1;',
  'src/cli/view/word.ts': `
    export { word } from '../daemon/word.js';`,
  'src/cli/settings/probe.ts': `
    export { word } from '../connection/word.js';
    export { word as view } from '../view/word.js';
    export { word as root } from '../word.js';
    export { word as above } from '../daemon/word.js'; //! group-layer
    export const late = () => import('../daemon/word.js'); //! group-layer`,

  'src/storage/rows/word.ts': 'export const word = 1;',
  'src/storage/facts/word.ts': `
    export { word } from '../rows/word.js';
    export { word as model } from '../../model/word.js';
    export { word as client } from '../../client/word.js'; //! ${importsRule}`,
  'src/storage/rows/probe.ts': `
    export { word } from '../word.js';
    export { word as above } from '../facts/word.js'; //! group-layer`,

  'src/loader/load.ts': `
    export const load = (url: string): Promise<unknown> => import(url);`,

  'src/gate/cycle-a.ts': `
    import { b } from './cycle-b.js'; //! import(no-cycle)
    export const a = (): unknown => b;`,
  'src/gate/cycle-b.ts': `
    import { a } from './cycle-a.js'; //! import(no-cycle)
    export const b = (): unknown => a;`,
  'src/gate/cycle-of-types-a.ts': `
    import type { B } from './cycle-of-types-b.js'; //! import(no-cycle)
    export interface A { readonly b: B }`,
  'src/gate/cycle-of-types-b.ts': `
    import type { A } from './cycle-of-types-a.js'; //! import(no-cycle)
    export interface B { readonly a: A }`,

  'src/execution/promises.ts': `
    const send = async (): Promise<number> => await Promise.resolve(1);
    export const a = (): void => { send(); }; //! typescript(no-floating-promises)
    export const b = (list: number[]) => list.forEach(async () => { await send(); }); //! typescript(no-misused-promises)
    export const c = () => { throw 'text'; }; //! typescript(only-throw-error)
    export const d = async () => await 1; //! typescript(await-thenable) unicorn(no-unnecessary-await)
    export const e = async () => { await send(); };`,

  'src/backtest/types.ts': `
    export type Kind = 'trade' | 'bar';
    export const a = (kind: Kind): number => {
      switch (kind) { //! typescript(switch-exhaustiveness-check)
        case 'trade':
          return 1;
      }
      return 0;
    };
    const parsed = JSON.parse('1'); //! typescript(no-unsafe-assignment)
    export const b = (): number => parsed; //! typescript(no-unsafe-return)
    export const c = () => Math.abs(parsed.x); //! typescript(no-unsafe-argument) typescript(no-unsafe-member-access)
    export const d = () => void parsed(); //! typescript(no-unsafe-call)
    export const e = (x: any) => x === 1; //! typescript(no-explicit-any)
    export const f = (x: number) => x == 1; //! eslint(eqeqeq)
    // oxlint-disable-next-line eqeqeq //! disable-without-reason
    export const g = (x: number) => x == 1;
    // oxlint-disable-next-line eqeqeq -- because this line shows the form
    export const h = (x: number) => x == 1;
    // @ts-ignore //! typescript(ban-ts-comment)
    export const i = 1;`,

  // bench, test and .ci are free
  'bench/run.ts': `
    import { readFileSync } from 'node:fs';
    import { word } from '../src/model/word.js';
    console.log(Date.now(), Math.random(), process.argv, readFileSync, word);`,
  'test/free.test.ts': `
    import { setTimeout } from 'node:timers/promises';
    import { word } from '../src/engine/word.js';
    vi.${'mock'}('../src/engine/word.js'); //! module-mock
    console.log(Date.now(), setTimeout, word);`,
};

let tree = '';
let found: string[] = [];

beforeAll(() => {
  tree = mkdtempSync(join(tmpdir(), 'tickwright-layers-'));
  for (const file of ['.oxlintrc.json', 'tsconfig.json', 'package.json'])
    cpSync(join(repository, file), join(tree, file));
  symlinkSync(join(repository, 'node_modules'), join(tree, 'node_modules'), 'junction');
  for (const [path, text] of Object.entries(planted)) {
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    // The marks stay out of the planted files: a comment after a directive would be part of it.
    writeFileSync(join(tree, path), `${text.replaceAll(/ \/\/!.*$/gm, '')}\n`);
  }
  found = [...oxlint(), ...bans()].sort();
});

afterAll(() => {
  rmSync(tree, { recursive: true, force: true });
});

describe('the lint configuration', () => {
  const expected = Object.entries(planted).flatMap(([path, text]) =>
    text.split('\n').flatMap((line, index) => {
      const rules = line.match(/ \/\/! (.*)$/)?.[1]?.split(' ') ?? [];
      return rules.map((rule) => `${path}:${index + 1} ${rule}`);
    }),
  );

  it('is tried on every folder of the layer table and on hundreds of planted violations', () => {
    expect(expected.length).toBeGreaterThan(500);
  });

  it('catches every planted violation by the rule that is meant to', () => {
    expect(expected.filter((finding) => !found.includes(finding))).toEqual([]);
  });

  it('has nothing to say about the clean lines', () => {
    expect(found.filter((finding) => !expected.includes(finding))).toEqual([]);
  });
});

interface OxlintReport {
  readonly diagnostics: readonly {
    readonly code?: string;
    readonly filename: string;
    readonly labels: readonly { readonly span: { readonly line: number } }[];
  }[];
}

function oxlint(): string[] {
  const { stdout } = spawnSync(
    process.execPath,
    [join(repository, 'node_modules/oxlint/bin/oxlint'), '-f', 'json'],
    {
      cwd: tree,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    },
  );
  const report = JSON.parse(stdout) as OxlintReport;
  return report.diagnostics.map(
    ({ code, filename, labels }) => `${filename}:${labels[0]?.span.line} ${code ?? 'no rule'}`,
  );
}

function bans(): string[] {
  const { stdout } = spawnSync(process.execPath, [join(repository, '.ci/bans.mjs'), tree], {
    encoding: 'utf8',
  });
  return [...stdout.matchAll(/^(.+?:\d+):\d+: .* \[([\w-]+)\]$/gm)].map(
    ([, place, rule]) => `${place} ${rule}`,
  );
}

function camel(name: string): string {
  return `the${name.replaceAll(/(?:^|\W+)(\w)/g, (_, letter: string) => letter.toUpperCase())}`;
}
