import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, test, vi } from 'vitest';
import { DomainError } from '#domain/errors/domain-error.ts';
import { restError } from '../rest/errors.ts';
import { sendRestError } from '../rest/send-rest-error.ts';
import type { HttpHandlers } from './http-handlers.ts';
import type { RequestContext } from './request-context.ts';
import { createRequestHandler } from './request-handler.ts';

const closed = (res: ServerResponse) => new Promise<void>((resolve) => res.once('close', resolve));

test('a request whose client hangs up is logged with what it came to, once that is known', async () => {
  const [logged, counted, recorded] = [vi.fn(), vi.fn(), vi.fn()];
  const rest: NonNullable<HttpHandlers['web']>['rest'] = async (req, res, requestContext: RequestContext) => {
    Object.assign(requestContext, { route: '/payments/transfers/pix', accountId: 'a', keyId: 'k' });
    await closed(res);
    requestContext.failure = restError(new DomainError('insufficient_funds'));
    requestContext.responseBody = requestContext.failure.body;
    sendRestError(req, res, requestContext.failure);
  };
  const handle = createRequestHandler({
    web: { rest, publicUrl: 'http://localhost' },
    log: { request: logged },
    metrics: { httpRequest: counted },
    recordRequest: recorded,
  } as unknown as HttpHandlers);
  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write('POST /payments/transfers/pix HTTP/1.1\r\nhost: x\r\nx-api-key: k\r\ncontent-length: 0\r\n\r\n');
  server.once('request', () => socket.destroy());

  await vi.waitFor(() => expect(recorded).toHaveBeenCalled());
  server.close();
  expect(recorded.mock.calls).toMatchObject([[{ status: 400, responseBody: { code: 'insufficient_funds' } }]]);
  expect(logged.mock.calls).toMatchObject([[{ status: 400, code: 'insufficient_funds' }]]);
  expect(counted.mock.calls).toMatchObject([[{ status: 400 }]]);
});
