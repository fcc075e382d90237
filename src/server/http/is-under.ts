/** Whether an address is a prefix, or below it. */
export const isUnder = (path: string, prefix: string) =>
  path.startsWith(prefix) && (path.length === prefix.length || path[prefix.length] === '/');
