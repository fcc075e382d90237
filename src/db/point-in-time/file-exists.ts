import { access } from 'node:fs/promises';

/** Whether there is something under a path. Throws where that can't be found out. */
export const fileExists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false;
      throw error;
    },
  );
