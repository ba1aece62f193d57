export function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}
