import { gzipSync } from 'node:zlib';
import { openDatabase } from '#db/connection/database.ts';
import { withClient } from '#db/connection/with-client.ts';
import { findDemoLogin } from '#demo/seed-demo.ts';
import { createSecretBox } from '#domain/encryption/secret-box.ts';
import { hasOwnReconciliation } from '#services/reconciliation/get-own-reconciliation.ts';
import { putReconciledDays } from '#testing/put-reconciled-days.ts';
import { PAGES_BEFORE_SIGN_IN, PANEL_JAVASCRIPT_MAX, PANEL_PAGES, PUBLIC_JAVASCRIPT_MAX } from '../e2e/panel/pages.ts';
import type { Installation } from './installation.ts';
import { chargeRequest } from './operations.ts';
import { send } from './same-work.ts';

/** A month of reconciled days. */
const RECONCILED_DAYS = 30;

export type PageJavascript = { page: string; bytes: number; wanted: number };

/**
 * The compressed size of the scripts that each page's HTML names, from the production build.
 * e2e/panel/javascript-size.spec.ts counts in a browser what a page loads later by itself, and has
 * the same limits.
 */
export async function measureJavascript(installation: Installation): Promise<PageJavascript[]> {
  const { service, apiKey } = installation;
  const { data } = (await send(service.url, chargeRequest(apiKey))) as { data: { transaction_id: string } };
  const cookie = await signInToEveryPage(installation);
  const pages: [page: string, wanted: number][] = [
    ...PAGES_BEFORE_SIGN_IN.map((page): [string, number] => [page, PUBLIC_JAVASCRIPT_MAX]),
    [`/pay/${data.transaction_id}`, PUBLIC_JAVASCRIPT_MAX],
    ...PANEL_PAGES.map((page): [string, number] => [`/test${page}`, PANEL_JAVASCRIPT_MAX]),
  ];
  const sizes = new Map<string, number>();
  const results: PageJavascript[] = [];
  for (const [page, wanted] of pages) {
    const headers = { accept: 'text/html', ...(wanted === PANEL_JAVASCRIPT_MAX && { cookie }) };
    // Without the scripts that only browsers without modules fetch.
    const html = (await textOf(service.url + page, headers)).replace(/<script[^>]*\bnoModule\b[^>]*>/gi, '');
    let bytes = 0;
    for (const script of new Set(html.match(/\/_next\/static\/[\w./~-]+\.js/g))) {
      const size = sizes.get(script) ?? gzipSync(await textOf(service.url + script, {})).length;
      sizes.set(script, size);
      bytes += size;
    }
    results.push({ page: page.replace(data.transaction_id, '{id}'), bytes, wanted });
  }
  return results;
}

/**
 * Signs in as the demo's merchant, who has a login in every demo, and gives them every page of the
 * panel. Returns the cookies.
 */
export async function signInToEveryPage({ service, databaseUrl, ownerUrl, masterKeys }: Installation): Promise<string> {
  const db = openDatabase(databaseUrl, { max: 1 });
  const login = await findDemoLogin({ db, secretBox: createSecretBox(masterKeys) });
  if (login && !(await hasOwnReconciliation({ db }, login.account_id))) {
    const asOwner = (sql: string) => withClient(ownerUrl, async (owner) => void (await owner.query(sql)));
    const deps = { clock: () => new Date() };
    await putReconciledDays({ deps, asOwner }, { accountId: login.account_id, days: RECONCILED_DAYS });
  }
  await db.close();
  const response = await fetch(`${service.url}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: service.url },
    body: JSON.stringify({ email: login?.email, password: login?.password }),
  });
  if (!response.ok) throw new Error(`Signing in answered ${response.status}: ${await response.text()}`);
  return response.headers
    .getSetCookie()
    .map((text) => text.split(';')[0])
    .join('; ');
}

async function textOf(url: string, headers: Record<string, string>): Promise<string> {
  const response = await fetch(url, { headers, redirect: 'error' });
  if (!response.ok) throw new Error(`${url} answered ${response.status}.`);
  return response.text();
}
