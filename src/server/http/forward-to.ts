import { Agent, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { DomainError } from '#domain/errors/domain-error.ts';
import { restError } from '../rest/errors.ts';
import { sendRestError } from '../rest/send-rest-error.ts';

/**
 * Forwards requests to another process of this machine, and its answers back, unchanged. While that
 * process is away the answer is 503 with a time to retry.
 */
export function forwardTo(port: number): { handle(req: IncomingMessage, res: ServerResponse): void } {
  const agent = new Agent({ keepAlive: true });
  return {
    handle(req, res) {
      const { url: path, method, headers } = req;
      const onward = request({ agent, host: '127.0.0.1', port, path, method, headers }, (answer) => {
        res.writeHead(answer.statusCode ?? 502, answer.headers);
        pipeline(answer, res, () => {});
      });
      onward.on('error', () => {
        if (res.headersSent) res.destroy();
        else sendRestError(req, res, restError(new DomainError('unavailable')));
      });
      // A client that hung up waits for no answer.
      res.on('close', () => onward.destroy());
      pipeline(req, onward, () => {});
    },
  };
}
