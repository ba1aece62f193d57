import { vi } from 'vitest';

export interface CapturedOutput {
  /** Of stdout, and of stderr, since the last `clear`. */
  out: string;
  err: string;
  clear(): void;
}

/** What commands print from here on, until the mocks are restored. */
export function captureOutput(): CapturedOutput {
  const captured: CapturedOutput = {
    out: '',
    err: '',
    clear() {
      captured.out = '';
      captured.err = '';
    },
  };
  const written = (take: (text: string) => void) => (text: unknown, done?: unknown) => {
    take(String(text));
    if (typeof done === 'function') done();
    return true;
  };
  vi.spyOn(process.stdout, 'write').mockImplementation(written((text) => void (captured.out += text)));
  vi.spyOn(process.stderr, 'write').mockImplementation(written((text) => void (captured.err += text)));
  return captured;
}
