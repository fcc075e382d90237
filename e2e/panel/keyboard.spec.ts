import { expect, signOutAtOnce, test } from './fixtures.ts';
import { crowdedTexts, hiddenFocus, unclearNames } from './looks.ts';
import { DESKTOP, PAGES_BEFORE_SIGN_IN, PANEL_PAGES, PHONE } from './pages.ts';

const softly = expect.configure({ soft: true });
/** A person who needs larger letters than the browser's own (WCAG 1.4.4). */
const LARGE = '200%';

test('on every page the focus is in sight at each press of Tab, rows have names of their own, and letters twice as large fit', async ({
  page,
  shop,
  payerPays,
  receiver,
}) => {
  test.setTimeout(600_000);
  for (const amount of [100.5, 31]) {
    const charge = await shop.createCharge({ amount, description: 'Pedido 42', callbackUrl: receiver.url });
    await payerPays(charge);
    // Rows have the second in their names.
    await page.waitForTimeout(1_100);
  }
  await expect.poll(() => receiver.received.length).toBeGreaterThan(1);
  const check = async (path: string) => {
    await page.setViewportSize(PHONE);
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByRole('status', { name: 'Carregando' })).toHaveCount(0);
    softly(await hiddenFocus(page), path).toEqual([]);
    await page.setViewportSize({ ...DESKTOP, width: 1280 });
    await softly.poll(() => unclearNames(page), { message: path }).toEqual([]);
    await page.evaluate((size) => document.documentElement.style.setProperty('font-size', size), LARGE);
    const width = () => page.evaluate(() => document.documentElement.scrollWidth);
    await softly.poll(width, { message: `${path} with large letters` }).toBeLessThanOrEqual(1280);
    softly(await crowdedTexts(page), `${path} with large letters`).toEqual([]);
  };
  for (const path of PANEL_PAGES) await check(`/test${path}`);
  await signOutAtOnce(page);
  for (const path of PAGES_BEFORE_SIGN_IN) await check(path);
});

test('a dialog that its address opened gives the focus to the page, where the Tab key goes on', {
  tag: '@width-independent',
}, async ({ page, shop }) => {
  const { id } = await shop.createCharge({ amount: 30 });
  await shop.open(`/transacoes/${id}`);
  const drawer = page.getByRole('dialog', { name: 'Transação' });
  await expect(drawer.locator(':focus')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(drawer).toHaveCount(0);
  await expect(page.getByRole('main')).toBeFocused();
});

test('a password is shown and hidden by the keyboard', { tag: '@width-independent' }, async ({ page }) => {
  await page.goto('/entrar');
  const password = page.getByLabel('Senha', { exact: true });
  await password.fill('uma frase');
  await page.keyboard.press('Tab');
  const show = page.getByRole('button', { name: 'Mostrar ou esconder o que foi digitado' });
  await expect(show).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(password).toHaveAttribute('type', 'text');
  await expect(show).toHaveAttribute('aria-pressed', 'true');
  await page.keyboard.press('Space');
  await expect(password).toHaveAttribute('type', 'password');
});

test('a button that ends its own row leaves the focus in the page, and the console is entered past its links', {
  tag: '@width-independent',
}, async ({ page, shop, browser, baseURL, operatorPage: console }) => {
  const other = await browser.newContext();
  const { email, password } = shop;
  const headers = { origin: new URL(baseURL ?? '').origin };
  await other.request.post('/api/auth/sign-in/email', { data: { email, password }, headers });
  await other.close();
  await shop.open('/seguranca');
  const end = page.getByRole('button', { name: /^Encerrar: .*\d{2}:\d{2}$/ });
  await end.focus();
  await page.keyboard.press('Enter');
  await expect(end).toHaveCount(0);
  await expect(page.getByRole('main')).toBeFocused();

  await console.goto('/operator/fila');
  await console.keyboard.press('Tab');
  await expect(console.getByRole('link', { name: 'Ir para o conteúdo' })).toBeInViewport();
  await console.keyboard.press('Enter');
  await expect(console.getByRole('main')).toBeFocused();
  await expect(console.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(console.getByRole('status', { name: 'Carregando' })).toHaveCount(0);
  await expect.poll(() => unclearNames(console)).toEqual([]);
  await expect(console.getByRole('navigation', { name: 'Páginas' })).toHaveCount(1);
});

test('planted: a control under a bar, one that hides its focus, a table without a name and rows called the same are found', async ({
  page,
}) => {
  await page.setContent(`<main><h1>Página</h1><button style="outline: none">a</button>
    <table><tbody><tr><td><button>Abrir</button></td></tr><tr><td><button>Abrir</button></td></tr></tbody></table>
    <button style="margin-top: 100vh" aria-controls="a b">Embaixo</button></main>
    <nav style="position: fixed; inset: auto 0 0; height: 200px; background: #fff"></nav>`);
  expect(await hiddenFocus(page)).toEqual([
    'BUTTON “a” does not show that it has the focus',
    'BUTTON “Embaixo” is under a bar',
  ]);
  expect(await unclearNames(page)).toEqual([
    'a table without a name',
    '“Embaixo” controls no id',
    '2 of a table are called “Abrir”',
  ]);
});
