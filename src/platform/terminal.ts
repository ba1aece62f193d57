/** What output may look like. */
export interface Terminal {
  readonly stdoutIsTerminal: boolean;
  readonly stderrIsTerminal: boolean;
  /** Width of stdout's terminal, else of stderr's, else 80. */
  readonly columns: number;
  /** Colours on stdout: NO_COLOR (not empty) before FORCE_COLOR before "is a terminal". */
  readonly color: boolean;
}

export interface OutputStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

export function terminal(
  stdout: OutputStream = process.stdout,
  stderr: OutputStream = process.stderr,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Terminal {
  const stdoutIsTerminal = stdout.isTTY === true;
  return {
    stdoutIsTerminal,
    stderrIsTerminal: stderr.isTTY === true,
    columns: stdout.columns ?? stderr.columns ?? 80,
    color: wantsColor(environment) ?? stdoutIsTerminal,
  };
}

function wantsColor(environment: Readonly<Record<string, string | undefined>>): boolean | undefined {
  const { NO_COLOR: none, FORCE_COLOR: forced } = environment;
  if (none !== undefined && none !== '') return false;
  if (forced !== undefined && forced !== '') return forced !== '0' && forced !== 'false';
  return undefined;
}
