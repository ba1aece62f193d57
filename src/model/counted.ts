/** `1 fill`, `2 fills`: a count in front of what is counted. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
