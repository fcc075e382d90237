import { putReconciled } from '../fixtures.ts';
import { expect, test } from './fixtures.ts';
import { PANEL_PAGES } from './pages.ts';

test('every page of the panel arrives with what it shows, before its code runs', async ({
  browser,
  page,
  shop,
  baseURL,
}) => {
  await shop.earns(100.5);
  await putReconciled({ accountId: shop.accountId, days: 3 });
  const storageState = await page.context().storageState();
  const withoutCode = await browser.newContext({ baseURL: baseURL ?? '', storageState, javaScriptEnabled: false });
  const painted = await withoutCode.newPage();
  for (const path of PANEL_PAGES) {
    // On a busy machine a page may come without its data: it waits a second for it at most.
    await expect(async () => {
      await painted.goto(`/test${path}`);
      expect(await painted.getByRole('heading', { level: 1 }).count()).toBe(1);
      expect(await painted.getByText(shop.name).count()).toBeGreaterThan(0);
      expect(await painted.getByRole('status', { name: 'Carregando' }).count()).toBe(0);
    }, path).toPass();
  }
  for (const path of ['/inicio', '/transacoes']) {
    await painted.goto(`/test${path}`);
    await expect(painted.getByRole('main').getByText('R$ 100,50').locator('visible=true').first(), path).toBeVisible();
  }
  // A page is drawn beside a drawer that its address opens, too.
  const { id } = await shop.createCharge({ amount: 30 });
  for (const path of [`/requisicoes?requisicao=${id}`, `/webhooks?entrega=${id}`, `/transacoes/${id}`]) {
    expect((await painted.goto(`/test${path}`))?.status(), path).toBe(200);
  }
  // A button takes no press yet, because it would be lost.
  await painted.goto('/test/chaves');
  const button = painted.getByRole('button', { name: 'Nova chave' });
  expect(await button.evaluate((element) => getComputedStyle(element).pointerEvents)).toBe('none');
  await withoutCode.close();

  // Without a session the page is a redirect without content.
  const stranger = await browser.newContext({ baseURL: baseURL ?? '' });
  const answer = await stranger.request.get('/test/extrato', { maxRedirects: 0 });
  expect([answer.status(), await answer.text()]).toEqual([302, '']);
  await stranger.close();
});

test('a page runs without an error in the theme that the browser keeps, whatever the system prefers', async ({
  page,
  shop,
}) => {
  const thrown: string[] = [];
  page.on('pageerror', ({ message }) => thrown.push(message));
  await page.emulateMedia({ colorScheme: 'light' });
  await page.addInitScript(() => localStorage.setItem('mantine-color-scheme-value', 'dark'));
  await shop.open('/inicio');
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await expect(page.getByRole('button', { name: 'Mudar para tema claro ou escuro' })).toBeEnabled();
  expect(thrown).toEqual([]);
});

test('what a page arrived with is not requested again', async ({ page, shop }) => {
  await shop.earns(10);
  const asked: string[] = [];
  page.on('request', (request) => {
    const [, path] = /^\/api\/trpc\/test\/(.*)$/.exec(new URL(request.url()).pathname) ?? [];
    // The stream reads nothing that a page shows.
    if (path !== undefined && path !== 'live.transactions') asked.push(path);
  });
  const plain = [
    '/extrato',
    '/clientes',
    '/prova',
    '/limites',
    '/favorecidos',
    '/lotes',
    '/chaves',
    '/webhooks',
    '/requisicoes',
    '/seguranca',
    '/comecar',
  ];
  const filtered = ['/extrato?saldo=bloqueado', '/webhooks?status=failed&topico=deposit', '/requisicoes?metodo=GET'];
  for (const path of [...plain, ...filtered]) {
    // Repeated as above, and because data is read again that is some seconds old when the code
    // runs.
    await expect(async () => {
      asked.length = 0;
      await shop.open(path);
      expect(asked).toEqual([]);
    }, path).toPass();
  }
  // What is followed live is read again: it may have changed before the stream began.
  await shop.open('/inicio');
  await expect(page.getByText('Ao vivo')).toBeVisible();
  await expect.poll(() => asked.join(' ')).toContain('transactions.list');
});
