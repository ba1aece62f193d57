import { spawn, spawnSync } from 'node:child_process';
import { type Ended, MAIN, ROOT } from './program.js';

/** Why there are no tests on a terminal here; `undefined` when there are. In CI python3 must be able to make one. */
export const NO_TERMINAL: string | undefined = (() => {
  const python = spawnSync('python3', ['-c', 'import pty'], { stdio: 'ignore' });
  if (python.error !== undefined) return 'python3, which makes the pseudo terminal, is not on this machine';
  if (python.status === 0) return undefined;
  const reason = "python3 has no pseudo terminals here (its module pty can't be loaded)";
  if (process.env['CI'] === 'true') throw new Error(`in CI ${reason}`);
  return reason;
})();

/** Waits for each text in turn and then types its answer, as a person at a terminal of 200 columns would. */
const PERSON = `
import fcntl, json, os, pty, select, struct, sys, termios, time
plan = json.loads(sys.argv[1])
pid, terminal = pty.fork()
if pid == 0:
    # Before the program looks at it.
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 200, 0, 0))
    os.execvpe(plan["argv"][0], plan["argv"], plan["env"])
shown, seen, steps, deadline = b"", 0, plan["steps"], time.time() + 150
while time.time() < deadline:
    ready, _, _ = select.select([terminal], [], [], 1)
    if ready:
        try:
            part = os.read(terminal, 65536)
        except OSError:
            break
        if not part:
            break
        shown += part
    while steps and shown.find(steps[0][0].encode(), seen) >= 0:
        seen = shown.find(steps[0][0].encode(), seen) + len(steps[0][0].encode())
        os.write(terminal, steps[0][1].encode())
        steps.pop(0)
else:
    os.kill(pid, 9)
_, status = os.waitpid(pid, 0)
sys.stdout.buffer.write(shown)
sys.exit(os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status))
`;

/** What was waited for, and the keys that were then pressed; \\r is Enter, \\u0004 is Ctrl-D. */
export type Step = readonly [waitFor: string, type: string];

/** Runs the program on a terminal of its own; stdout holds everything that was shown there. */
export function runOnTerminal(
  args: readonly string[],
  steps: readonly Step[],
  env: Readonly<Record<string, string>>,
): Promise<Ended> {
  const { PATH = '', HOME = '' } = process.env;
  const plan = { argv: [process.execPath, MAIN, ...args], env: { PATH, HOME, TERM: 'dumb', ...env }, steps };
  const child = spawn('python3', ['-c', PERSON, JSON.stringify(plan)], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    stdout += part;
  });
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    stderr += part;
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
}
