/** Whether a path is a prefix itself, or below it. */
export const isUnder = (path: string, prefix: string) =>
  path.startsWith(prefix) && (path.length === prefix.length || path[prefix.length] === '/');
