import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import next from 'next';

/** Serves the ordinary application as it was built; any message is answered with its port. */
const app = next({ dir: join(import.meta.dirname, 'ordinary') });
const ready = app.prepare();

process.on('disconnect', () => process.exit());
process.once('message', async () => {
  await ready;
  const handle = app.getRequestHandler();
  const server = createServer((req, res) => void handle(req, res));
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
});
