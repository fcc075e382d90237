import type { Server } from 'node:http';
import { EnvironmentError } from '#config/environment.ts';

/**
 * Listens, and resolves to the port that was bound. Rejects with EnvironmentError, whose message
 * says what to change; `names` are the variables that set the port and the host.
 */
export function bindPort(
  server: Server,
  { port, host }: { port: number; host: string },
  names: { port: string; host: string },
): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why = {
        EADDRINUSE: `Port ${port} is taken by another program: stop it, or choose another port, e.g. ${names.port}=${port + 1} npm start.`,
        EACCES: `Port ${port} needs rights this user has not: choose one above 1023, e.g. ${names.port}=3000 npm start.`,
        EADDRNOTAVAIL: `The address ${host} is not one of this machine: change ${names.host}.`,
      }[error.code ?? ''];
      const otherwise = `Can't listen on ${host}:${port}: ${error.message}. Change ${names.host} or ${names.port}.`;
      reject(new EnvironmentError(why ?? otherwise));
    });
    server.listen({ port, host }, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : port);
    });
  });
}
