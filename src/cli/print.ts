/** A command's answer on standard output: JSON for machines, lines for people. */
export function print(json: boolean | undefined, answer: unknown, lines: () => string[]): void {
  console.log(json ? JSON.stringify(answer) : lines().join('\n'));
}
