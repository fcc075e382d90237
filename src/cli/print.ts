/**
 * A command's answer on standard output: JSON for machines, lines for people. What merchants typed
 * does not drive a terminal.
 */
export function print(json: boolean | undefined, answer: unknown, lines: () => string[]): void {
  console.log(json ? JSON.stringify(answer) : lines().map(printable).join('\n'));
}

const printable = (line: string) => line.replace(/\p{Cc}/gu, ' ');
