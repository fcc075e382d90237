import type { TestService } from '../../src/testing/test-service.ts';
import { ask } from '../answers.ts';
import type { Arena } from '../subject.ts';

/**
 * Every answer states its type and how browsers have to treat it; personal answers are not stored.
 */
export async function attackHeaders(arena: Arena, service: TestService, apiKey: string): Promise<void> {
  // ASVS 3.4.4, 3.4.5, 3.4.8, 4.1.1, 14.2.2, 14.3.2
  const tally = arena.attack('headers that an answer lacks');
  const key = { 'x-api-key': apiKey };
  const answers: { path: string; init: RequestInit; isOwn: boolean }[] = [
    { path: '/payments/balance', init: { headers: key }, isOwn: true },
    { path: '/payments/balance', init: {}, isOwn: true },
    { path: '/payments/transactions', init: { headers: key }, isOwn: true },
    { path: '/account', init: { headers: key }, isOwn: true },
    { path: '/payments/transactions', init: { method: 'POST', headers: key, body: '{}' }, isOwn: true },
    { path: '/payments/nothing', init: { headers: key }, isOwn: true },
    { path: '/api/trpc/test/session.me', init: {}, isOwn: true },
    { path: '/api/trpc/payment.get?input={}', init: {}, isOwn: true },
    {
      path: '/api/auth/sign-in/email',
      init: { method: 'POST', headers: { origin: service.url }, body: '{}' },
      isOwn: true,
    },
    { path: '/export/test/statement.csv', init: {}, isOwn: true },
    { path: '/download/test/kyc?id=x', init: {}, isOwn: true },
    { path: '/healthz', init: {}, isOwn: false },
    { path: '/nothing', init: {}, isOwn: false },
    { path: '/api/openapi.json', init: {}, isOwn: false },
  ];
  for (const { path, init, isOwn } of answers) {
    const { headers, status, text } = await ask(service.url + path, init);
    const wanted: [string, RegExp][] = [
      ['x-content-type-options', /^nosniff$/],
      ['referrer-policy', /^no-referrer$/],
      ['x-frame-options', /^DENY$/],
      ['cross-origin-opener-policy', /^same-origin$/],
      ...(text ? ([['content-type', /^[a-z]+\/[a-z+.-]+(; charset=utf-8)?$/]] as [string, RegExp][]) : []),
      ...(isOwn ? ([['cache-control', /no-store/]] as [string, RegExp][]) : []),
    ];
    for (const [name, value] of wanted) {
      const given = headers.get(name) ?? '';
      tally(`${init.method ?? 'GET'} ${path} (${status}) ${name}`, value.test(given) ? null : `is “${given}”`);
    }
    const disclosed = ['server', 'x-powered-by', 'access-control-allow-origin'].filter((name) => headers.has(name));
    tally(`${path} says nothing of the inside`, disclosed.length === 0 ? null : disclosed.join(', '));
  }
}
