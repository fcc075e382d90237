/** As a shell says it of a program that SIGPIPE has ended. */
const SIGPIPE_STATUS = 141;

/**
 * Ends the command once nobody reads its output any more, as after `trilho listen | head -1`, or
 * once the output can't be written, as on a full disk: Node ignores SIGPIPE, and would print the
 * error of the next write with its stack.
 */
export function endWithReader(
  output: NodeJS.WritableStream = process.stdout,
  exit: (status: number) => void = process.exit,
): void {
  output.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') return exit(SIGPIPE_STATUS);
    console.error(
      `trilho: Standard output can't be written (${code}): the answer is lost, though what was asked for may be done.`,
    );
    exit(1);
  });
}
