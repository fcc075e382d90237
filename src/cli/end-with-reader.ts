/** As a shell says it of a program that SIGPIPE has ended. */
const SIGPIPE_STATUS = 141;

/**
 * Ends the command once nobody reads its output any more, as after `trilho listen | head -1`: Node
 * ignores SIGPIPE, and would print the error of the next write with its stack.
 */
export function endWithReader(
  output: NodeJS.WritableStream = process.stdout,
  exit: (status: number) => void = process.exit,
): void {
  output.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    exit(SIGPIPE_STATUS);
  });
}
