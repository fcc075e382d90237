/**
 * Prints a command's answer to standard output: JSON for machines, lines for people. Control
 * characters become spaces, so that a merchant's text can't drive the terminal.
 */
export function print(json: boolean | undefined, answer: unknown, lines: () => string[]): void {
  console.log(json ? JSON.stringify(answer) : lines().map(printable).join('\n'));
}

const printable = (line: string) => line.replace(/\p{Cc}/gu, ' ');
