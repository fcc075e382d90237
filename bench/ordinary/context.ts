import { createHash } from 'node:crypto';
import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from '#prisma';

/**
 * The same work as an ordinary application does it: Next route handlers, Prisma's interactive
 * transactions, fetch. Its settings are in its environment, as those of such applications are.
 */
export const prisma = new PrismaClient({
  adapter: new PrismaPg({ connectionString: process.env.DATABASE_URL ?? '', max: 16 }),
});

const sandboxUrl = process.env.SANDBOX_URL ?? '';
export const PIX_KEY = process.env.PIX_KEY ?? '';
export const EXPIRY_SECONDS = Number(process.env.CHARGE_EXPIRY_SECONDS);

type Client = Pick<PrismaClient, 'apiKey'>;

/** Returns the account of the key in a request; null: there is none. */
export async function accountOf(client: Client, request: Request): Promise<string | null> {
  const key = request.headers.get('x-api-key') ?? '';
  const found = await client.apiKey.findUnique({
    where: { hash: createHash('sha256').update(key).digest() },
    include: { account: true },
  });
  return found && !found.revokedAt ? found.accountId : null;
}

let token: Promise<string> | undefined;

/** One access token for as long as the process runs: the sandbox's last an hour. */
async function accessToken(): Promise<string> {
  token ??= fetch(`${sandboxUrl}/oauth/token`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${process.env.PIX_CLIENT_ID}:${process.env.PIX_CLIENT_SECRET}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'grant_type=client_credentials',
  }).then(async (response) => ((await response.json()) as { access_token: string }).access_token);
  return token;
}

/** Creates a charge at the PSP. Returns its copy-and-paste code. */
export async function createCob(txid: string, cob: object): Promise<string> {
  const response = await fetch(`${sandboxUrl}/cob/${txid}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${await accessToken()}`, 'content-type': 'application/json' },
    body: JSON.stringify(cob),
  });
  if (response.status !== 201) throw new Error(`The sandbox answered ${response.status}.`);
  return ((await response.json()) as { pixCopiaECola: string }).pixCopiaECola;
}
