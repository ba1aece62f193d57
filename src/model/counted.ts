/** A count with its noun in singular or plural: `1 fill`, `2 fills`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
