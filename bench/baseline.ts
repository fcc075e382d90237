import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type pg from 'pg';
import { Pool as HttpPool } from 'undici';
import { findKeyOwner, type KeyOwner } from '#db/api-keys/api-keys.ts';
import { insertCharge, setBrCode } from '#db/charges/charges.ts';
import { createPool } from '#db/connection/pool.ts';
import { findBalances } from '#db/ledger/ledger.ts';
import { findTransaction } from '#db/transactions/transactions.ts';
import { hashApiKey } from '#domain/api-keys/api-key-format.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import { type ChargeInput, chargeAnswer, cobOf, statusAnswer } from './answers.ts';

/**
 * The baseline, which does the same work with nothing around it: node:http, pg with the product's
 * own statements and pool (so that they can't drift apart), JSON in and out, and the same call to
 * the sandbox PSP. It has no framework, no validation, no log and no metrics: the difference is
 * what the service costs. It runs in a process of its own, which gets its settings from the bench
 * and answers with its port.
 */
export type BaselineSettings = {
  databaseUrl: string;
  sandboxUrl: string;
  clientId: string;
  clientSecret: string;
  pixKey: string;
  expirySeconds: number;
};

const KEY_CACHED_MS = 60_000;
const PSP_CONNECTIONS = 128;
/** When the worker would check a charge for the first time. */
const CHECK_AFTER_MS = 30_000;

type Psp = { put(txid: string, body: string): Promise<{ pixCopiaECola: string }> };

process.once('message', (settings: BaselineSettings) => void serve(settings));
process.on('disconnect', () => process.exit());

async function serve(settings: BaselineSettings): Promise<void> {
  const db = createPool(settings.databaseUrl);
  const psp = await connectPsp(settings);
  const keys = new Map<string, { owner: KeyOwner; until: number }>();

  const ownerOf = async (key: string): Promise<KeyOwner> => {
    const known = keys.get(key);
    if (known && known.until > Date.now()) return known.owner;
    const owner = await findKeyOwner(db, hashApiKey(key), new Date());
    if (!owner) throw new Error('Unknown API key.');
    keys.set(key, { owner, until: Date.now() + KEY_CACHED_MS });
    return owner;
  };

  const answer = async (req: IncomingMessage): Promise<object> => {
    const { accountId } = await ownerOf(req.headers['x-api-key'] as string);
    if (req.method === 'POST')
      return createCharge(db, psp, settings, accountId, JSON.parse(await readBody(req)) as ChargeInput);
    const url = req.url ?? '';
    if (url === '/payments/balance') return balance(db, accountId);
    return status(db, accountId, url.split('/')[3] ?? '');
  };

  const server = createServer((req, res) => {
    answer(req).then(
      (body) => send(res, 200, body),
      (error: unknown) => {
        console.error(error);
        send(res, 500, {});
      },
    );
  });
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
}

async function balance(db: pg.Pool, accountId: string): Promise<object> {
  const row = await findBalances(db, accountId);
  if (!row) throw new Error('Unknown account.');
  const data = {
    available_balance: Number(row.availableCentavos) / 100,
    pending_balance: Number(row.pendingCentavos) / 100,
    blocked_balance: Number(row.blockedCentavos) / 100,
  };
  return { success: true, data };
}

async function status(db: pg.Pool, accountId: string, id: string): Promise<object> {
  const row = await findTransaction(db, accountId, id, 'pix_in');
  if (!row) throw new Error('Unknown transaction.');
  return statusAnswer(row);
}

async function createCharge(
  db: pg.Pool,
  psp: Psp,
  { pixKey, expirySeconds }: BaselineSettings,
  accountId: string,
  input: ChargeInput,
): Promise<object> {
  const createdAt = new Date();
  const id = uuidv7(createdAt);
  const expiresAt = new Date(createdAt.getTime() + expirySeconds * 1000);
  const amountCentavos = BigInt(Math.round(input.amount * 100));
  await insertCharge(db, {
    id,
    accountId,
    amountCentavos,
    feeCentavos: 0n,
    netCentavos: amountCentavos,
    split: null,
    description: input.description,
    searchTokens: [],
    merchant: { reference: null, referenceIndex: null, metadata: null, uniqueIndexes: null },
    customer: {
      name: input.customerName,
      email: input.customerEmail,
      phone: input.customerPhone,
      document: input.customerDocument,
      documentIndex: null,
      documentType: input.customerDocumentType,
    },
    callbackUrl: null,
    rail: 'sandbox',
    createdAt,
    expiresAt,
    checkAt: new Date(createdAt.getTime() + CHECK_AFTER_MS),
  });
  const cob = cobOf(input, { pixKey, expirySeconds });
  const { pixCopiaECola: brCode } = await psp.put(id.replaceAll('-', ''), JSON.stringify(cob));
  await setBrCode(db, id, brCode);
  return chargeAnswer(input, { id, brCode, createdAt, expiresAt });
}

/** One access token for as long as the bench takes: the sandbox's last an hour. */
async function connectPsp({ sandboxUrl, clientId, clientSecret }: BaselineSettings): Promise<Psp> {
  const { origin, pathname } = new URL(sandboxUrl);
  const pool = new HttpPool(origin, { connections: PSP_CONNECTIONS });
  const token = await pool.request({
    method: 'POST',
    path: `${pathname}/oauth/token`,
    headers: {
      authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'grant_type=client_credentials',
  });
  const { access_token } = (await token.body.json()) as { access_token: string };
  const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' };
  return {
    async put(txid, body) {
      const response = await pool.request({ method: 'PUT', path: `${pathname}/cob/${txid}`, headers, body });
      if (response.statusCode !== 201) throw new Error(`The sandbox answered ${response.statusCode}.`);
      return (await response.body.json()) as { pixCopiaECola: string };
    },
  };
}

function readBody(req: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    req.setEncoding('utf8');
    req.on('data', (chunk: string) => {
      text += chunk;
    });
    req.on('end', () => resolve(text));
    req.on('error', reject);
  });
}

function send(res: ServerResponse, code: number, body: object): void {
  const text = JSON.stringify(body);
  res.writeHead(code, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
  res.end(text);
}
