import { createInterface } from 'node:readline';

/** Whether a person sits at this process: both what it reads and where it asks are a terminal. */
export function canAsk(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

/** Asks on stderr, so that stdout stays a result. `undefined` when the person leaves with Ctrl-C or Ctrl-D. */
export function ask(question: string): Promise<string | undefined> {
  const lines = createInterface({
    input: process.stdin,
    output: process.stderr,
    terminal: true,
    historySize: 0,
  });
  return new Promise((resolve) => {
    let answer: string | undefined;
    lines.once('close', () => resolve(answer));
    lines.question(question, (text) => {
      answer = text;
      lines.close();
    });
  });
}
