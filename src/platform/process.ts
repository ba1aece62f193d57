/** The process as its composition root sees it: nobody else needs to know that there is one. */
export interface ProcessFacts {
  /** The file that Node runs. */
  readonly script: string;
  /** Arguments after the program's name. */
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly directory: string;
  readonly pid: number;
  readonly nodeVersion: string;
}

export function processFacts(): ProcessFacts {
  return {
    script: process.argv[1] ?? '',
    args: process.argv.slice(2),
    environment: process.env,
    directory: process.cwd(),
    pid: process.pid,
    nodeVersion: process.versions.node,
  };
}

/** Bytes that the process holds now. */
export function memoryGauge(): { readonly rssBytes: number; readonly heapBytes: number } {
  return { rssBytes: process.memoryUsage.rss(), heapBytes: process.memoryUsage().heapUsed };
}

/** The code to end with when everything that keeps the process alive is done. */
export function setExitCode(code: number): void {
  process.exitCode = code;
}

/** Ends the process now: for a second Ctrl-C and for states that must not go on. */
export function exitNow(code: number): never {
  process.exit(code);
}

/** Calls back for what nobody caught, a rejected promise included; the process then ends only if the handler ends it. */
export function onUncaught(handler: (error: unknown) => void): void {
  process.on('uncaughtException', handler);
}

/** Resolves when the text was handed to stdout's reader. */
export function writeOut(text: string): Promise<void> {
  return writeTo(process.stdout, text);
}

export function writeError(text: string): Promise<void> {
  return writeTo(process.stderr, text);
}

/** `tickwright … | head` is no mistake: a reader that went away ends the process quietly. */
export function endQuietlyOnBrokenPipe(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit();
      throw error;
    });
  }
}

function writeTo(stream: NodeJS.WriteStream, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => {
      // A broken pipe is dealt with above, at the stream.
      if (!error || (error as NodeJS.ErrnoException).code === 'EPIPE') resolve();
      else reject(error);
    });
  });
}
