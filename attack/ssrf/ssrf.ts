import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createWebhookSender } from '#rails/webhooks/sender.ts';
import { resolving } from '#rails/webhooks/testing/resolving.ts';
import { panelCaller } from '../../src/testing/panel-caller.ts';
import type { Arena, Subject } from '../subject.ts';
import { insideHosts, ODD_URLS } from './addresses.ts';

/**
 * Addresses that a merchant gives lead to public web servers only, in whatever spelling and
 * whatever their names resolve to.
 */
export const ssrf: Subject = {
  name: 'SSRF',
  async run(arena) {
    await attackWhenSaved(arena);
    const listener = await startListener(arena);
    await attackWhenConnected(arena, listener);
  },
};

async function attackWhenSaved(arena: Arena): Promise<void> {
  // ASVS 1.3.6
  const tally = arena.attack('addresses of our own network, when they are given');
  const service = await arena.start({ variables: { DEMO: 'true', RATE_LIMIT_PER_KEY: '1000000' } });
  const { apiKey, accountId } = await service.openAccount({
    ...{ mode: 'live', canCreateAccounts: true, currency: 'USDT_BSC' },
  });
  const { webhooks, endpoints } = await panelCaller(service.deps, accountId);
  const answers = new Set<string>();
  const publicUrl = 'https://93.184.215.14/hook';
  const { data: endpoint } = await endpoints.create({ url: publicUrl });
  const invoiceTo = (callbackUrl: string) =>
    service.post('/payments/deposits/crypto', apiKey, { amount: 100, callbackUrl });
  const moveTo = (url: string) => endpoints.change({ endpointId: endpoint.endpoint_id, url });
  const { status: ofPublic } = await invoiceTo(publicUrl);
  tally('callbackUrl of an invoice that is public', ofPublic === 201 ? null : `${ofPublic}: nothing was proved`);
  await moveTo(`${publicUrl}/other`);
  const inside = insideHosts().map((host) => `https://${host}/hook`);
  for (const [index, url] of [...inside, ...ODD_URLS].entries()) {
    const charge = await service.post('/payments/transactions', apiKey, { amount: 10, callbackUrl: url });
    // An empty URL counts as absent.
    if (url !== '')
      tally(`callbackUrl ${url}`, charge.status === 400 ? null : `${charge.status}: ${charge.text.slice(0, 120)}`);
    // All get the same answer, which reveals nothing about the inside.
    if (index < inside.length) answers.add(charge.text);
    const invoice = await invoiceTo(url);
    if (url !== '')
      tally(
        `callbackUrl of an invoice ${url}`,
        invoice.status === 400 ? null : `${invoice.status}: ${invoice.text.slice(0, 120)}`,
      );
    const account = await service.post('/accounts', apiKey, {
      name: 'X',
      email: `ssrf-${index}@example.com`,
      document: '12345678909',
      documentType: 'cpf',
      webhookUrl: url,
    });
    if (url !== '')
      tally(`webhookUrl ${url}`, account.status === 400 ? null : `${account.status}: ${account.text.slice(0, 120)}`);
    const saved = await webhooks.setEndpoint({ topic: 'usdt', url }).then(
      () => 'was saved',
      () => null,
    );
    tally(`endpoint ${url}`, saved);
    const made = await endpoints.create({ url }).then(
      () => 'was made',
      () => null,
    );
    tally(`endpoint over REST ${url}`, made);
    const moved = await moveTo(url).then(
      () => 'was changed',
      () => null,
    );
    tally(`endpoint that is changed to ${url}`, moved);
  }
  tally(
    'what the rejections say',
    answers.size === 1 ? null : `${answers.size} different answers: ${[...answers].join(' ')}`,
  );
}

type Listener = { port: number; hits(): number };

async function startListener(arena: Arena): Promise<Listener> {
  let hits = 0;
  const server = createServer((_req, res) => {
    hits++;
    res.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  arena.closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, hits: () => hits };
}

const STRICT = { allowHttpAndLoopback: false };

async function attackWhenConnected(arena: Arena, listener: Listener): Promise<void> {
  const tally = arena.attack('addresses of our own network, when they are connected to');
  const send = async (url: string, answers: string[] = ['127.0.0.1']) => {
    const sender = createWebhookSender({ lookup: resolving(...answers), timeoutMs: 1_000 });
    const answer = await sender.send({ url, policy: STRICT, headers: { 'webhook-id': 'x' }, body: '{}' });
    await sender.close();
    return answer;
  };
  for (const host of insideHosts()) {
    const { statusCode } = await send(`http://${host}:${listener.port}/hook`).catch(() => ({ statusCode: null }));
    tally(
      `http://${host}`,
      statusCode === null && listener.hits() === 0 ? null : `${statusCode}, ${listener.hits()} hits`,
    );
  }
  for (const answers of [['127.0.0.1'], ['::1'], ['::ffff:127.0.0.1'], ['0.0.0.0'], ['64:ff9b::7f00:1']]) {
    const { statusCode } = await send(`http://rebinding.example:${listener.port}/hook`, answers);
    tally(
      `a name that becomes ${answers.join(', ')}`,
      statusCode === null && listener.hits() === 0 ? null : `${statusCode}, ${listener.hits()} hits`,
    );
  }
  await attackByRedirect(arena, listener);
}

async function attackByRedirect(arena: Arena, listener: Listener): Promise<void> {
  const tally = arena.attack('redirects of a receiver');
  for (const status of [301, 302, 303, 307, 308]) {
    const server = createServer((_req, res) =>
      res.writeHead(status, { location: `http://127.0.0.1:${listener.port}/` }).end(),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const sender = createWebhookSender({ timeoutMs: 1_000 });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
    const answer = await sender.send({
      url,
      policy: { allowHttpAndLoopback: true },
      headers: { 'webhook-id': 'x' },
      body: '{}',
    });
    await sender.close();
    server.close();
    tally(
      `${status}`,
      answer.statusCode === status && listener.hits() === 0 ? null : `${answer.statusCode}, ${listener.hits()} hits`,
    );
  }
}
