const FATAL = /FATAL|PANIC/;
/** The message of a server that is starting or ending to every new connection, ours included. */
const REJECTED_CONNECTION = /FATAL: +the database system is /;

/**
 * Returns why a server ended, from the text of its log: the last fatal line that is not about
 * another connection.
 */
export function lastFatal(log: string): string {
  const lines = log.trim().split('\n');
  const fatal = lines.filter((line) => FATAL.test(line));
  const line = fatal.findLast((text) => !REJECTED_CONNECTION.test(text)) ?? fatal.at(-1) ?? lines.at(-1);
  return `${line?.replace(/^.*?(FATAL|PANIC): +/, '') || 'it gave no reason'}.`;
}
