import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { MAIN, ROOT, withFolder } from './program.js';

const guide = readFileSync(join(ROOT, 'docs', 'guide.md'), 'utf8');

interface Step {
  /** A file that the reader makes; else a block that a shell runs. */
  readonly file: string | undefined;
  readonly text: string;
}

/** In the order of the page; what commands print is between bare fences. */
const steps: readonly Step[] = [
  ...guide.matchAll(/(?:<!-- file: (\S+) -->\n)?```(\w*)\n([\s\S]+?)```/g),
].flatMap(([, file, language, text = '']) =>
  file !== undefined || language === 'sh' ? [{ file, text }] : [],
);

it("the guide's commands do what it says, in its order", () =>
  withFolder(async (folder) => {
    const port = await freePort();
    const here = (text: string) => text.replaceAll('8085', String(port));
    const bin = join(folder, 'bin');
    // The clone is this one, installed and built; all else is as a reader types it.
    mkdirSync(bin);
    program(bin, 'git', 'mkdir "$3"');
    program(bin, 'npm', `shift 2; exec node '${MAIN}' demo "$@"`);
    program(bin, 'npx', `shift; exec node '${MAIN}' "$@"`);
    const shell = new Shell(folder, bin);
    try {
      for (const { file, text } of steps) {
        if (file === undefined) {
          const block = here(text).replace('<this repository>', 'repository');
          let { code, output } = await shell.run(block);
          // Where everything is slow, a daemon may miss the time in which it must answer.
          const [status = block] = block.split('\n').filter((line) => line.includes(' status '));
          for (let left = 10; code === 3 && left > 0; left--) ({ code, output } = await shell.run(status));
          expect(code, `${block}\n${output}`).toBe(0);
          if (text.includes('stop --config my-bot/live.yaml --flat')) expect(output).toMatch(/proven/i);
          if (text.includes('why-not')) expect(output).toMatch(/USD_BTC_PERP at \d{4}-.*: /);
          if (text.includes('status --config')) expect(output).toContain('RUNNING · paper');
          if (text.includes('doctor')) expect(output).toContain(', 0 wrong');
        } else writeFileSync(join(folder, 'tickwright', file), here(text));
      }
    } finally {
      await shell.close();
      endDaemon(join(folder, 'tickwright', 'my-bot', 'var'));
    }
  }));

it('the guide has a step for each thing that a beginner does', () => {
  const commands = steps.flatMap(({ text }) =>
    [...text.matchAll(/npx tickwright ([a-z-]+)/g)].map(([, name]) => name),
  );
  const wanted = [
    'backtest',
    'doctor',
    'certify',
    'start',
    'status',
    'open',
    'pause',
    'resume',
    'why',
    'why-not',
    'stop',
  ];
  expect(wanted.filter((name) => !commands.includes(name))).toEqual([]);
});

/** One that a failed step left running. */
function endDaemon(state: string): void {
  try {
    const { pid } = JSON.parse(readFileSync(join(state, 'daemon.json'), 'utf8')) as { readonly pid: number };
    process.kill(pid, 'SIGKILL');
  } catch {
    // None runs.
  }
}

function program(folder: string, name: string, script: string): void {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
}

/** Below those that a system hands out: else a connection of another test may have it before the venue does. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = 10_000 + Math.floor(20_000 * Math.random());
    const isFree = await new Promise<boolean>((resolve) => {
      const server = createServer().once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
    });
    if (isFree) return port;
  }
}

/** One shell for the whole page: where it is, what it exports and what it leaves running stays. */
class Shell {
  readonly #child;
  #output = '';
  #blocks = 0;

  constructor(folder: string, bin: string) {
    const { PATH = '', HOME = '' } = process.env;
    this.#child = spawn('sh', [], {
      cwd: folder,
      env: { PATH: `${bin}:${PATH}`, HOME },
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.#output += text;
      });
    }
  }

  /** Every command of the block must succeed: the code is that of the first that does not. */
  async run(block: string): Promise<{ readonly code: number; readonly output: string }> {
    const end = `end-of-block-${++this.#blocks}`;
    const from = this.#output.length;
    const commands = block
      .trim()
      .split('\n')
      .map((line) => (line.endsWith('&') ? line : `${line} || failed=$?`));
    this.#child.stdin.write(`failed=0\n${commands.join('\n')}\necho "${end} $failed"\n`);
    const over = new RegExp(`${end} (\\d+)`);
    for (;;) {
      const output = this.#output.slice(from);
      const code = over.exec(output)?.[1];
      if (code !== undefined) return { code: Number(code), output };
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  async close(): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once('close', resolve));
    try {
      process.kill(-(this.#child.pid as number), 'SIGKILL');
    } catch {
      // Nothing of it runs any more.
    }
    await ended;
  }
}
