const FATAL = /FATAL|PANIC/;
/** What a server that starts or ends says to whoever connects meanwhile, us among them. */
const REJECTED_CONNECTION = /FATAL: +the database system is /;

/**
 * Why a server ended, by what it wrote into its log: its last fatal line that is not about somebody
 * else's connection.
 */
export function lastFatal(log: string): string {
  const lines = log.trim().split('\n');
  const fatal = lines.filter((line) => FATAL.test(line));
  const line = fatal.findLast((text) => !REJECTED_CONNECTION.test(text)) ?? fatal.at(-1) ?? lines.at(-1);
  return `${line?.replace(/^.*?(FATAL|PANIC): +/, '') || 'it gave no reason'}.`;
}
