import type { Locator, Page } from '@playwright/test';
import { putReconciled } from '../fixtures.ts';
import { seriousViolations } from './accessibility.ts';
import { expect, type PanelMerchant, signOutAtOnce, test } from './fixtures.ts';
import { crowdedTexts, cutTables, defaultGreys, idleTabStops, otherNames } from './looks.ts';
import { DESKTOP, PAGES_BEFORE_SIGN_IN, PANEL_PAGES, PHONE } from './pages.ts';

/** The widths at which a page rearranges itself; axe checks a page on a phone again. */
const WIDTHS = [DESKTOP.width, 1210, 1000, 800, PHONE.width, 360] as const;
const THEMES = ['light', 'dark'] as const;

const softly = expect.configure({ soft: true });
const isPhone = (width: number) => width <= PHONE.width;

test('axe finds nothing serious on any page on a computer and on a phone, light and dark, and nothing is crowded at any width', async ({
  page,
  shop,
  baseURL,
}) => {
  test.setTimeout(900_000);
  // A page that the browser renders otherwise than the server throws, too.
  const thrown: string[] = [];
  page.on('pageerror', ({ message }) => thrown.push(`${page.url()}: ${message}`));
  // No page asks anybody else, so that nobody else learns who is here (ASVS 14.2.3).
  const asked = new Set<string>();
  page.on('request', (request) => void asked.add(new URL(request.url()).origin));
  await shop.earns(100.5);
  const { id } = await shop.createCharge({ amount: 30, description: 'Pedido <b>42</b> com um nome bem comprido' });
  const customer = {
    customerName: 'Carlos Eduardo Lima',
    customerDocument: '12345678909',
    customerDocumentType: 'CPF',
  };
  await shop.post('/payments/transactions', { amount: 31, ...customer });
  // The reconciliation page exists only for merchants with credentials of their own.
  await putReconciled({ accountId: shop.accountId, days: 40, transactionId: id, coins: true });
  await page.setViewportSize(DESKTOP);
  const ownMenu = page.getByRole('button', { name: 'Sua conta' });
  const check = async (path: string, { isSignedIn = true } = {}) => {
    await settle(page);
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
      const only = colorScheme === THEMES[0] ? {} : { only: 'colours' as const };
      expect.soft(await seriousViolations(page, only), `${path} ${colorScheme}`).toEqual([]);
      expect.soft(await defaultGreys(page), `${path} ${colorScheme}`).toEqual([]);
    }
    await page.emulateMedia({ colorScheme: THEMES[0], reducedMotion: 'reduce' });
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: isPhone(width) ? PHONE.height : DESKTOP.height });
      await rearranged(page);
      // On a busy machine a page can learn its width later than the frame.
      const message = `${path} at ${width} px`;
      await softly.poll(() => scrollsSideways(page), { message: `${message} scrolls sideways` }).toBe(false);
      // A phone has the same colours in other places.
      if (width === PHONE.width) expect.soft(await seriousViolations(page), `${path} on a phone`).toEqual([]);
      if (width === PHONE.width || width === DESKTOP.width) {
        expect.soft([...(await otherNames(page)), ...(await idleTabStops(page))], message).toEqual([]);
        // Signing out is two presses away wherever somebody is signed in (ASVS 7.4.4).
        if (isSignedIn) await softly(ownMenu, message).toBeInViewport();
      }
      await softly.poll(() => crowdedTexts(page), { message }).toEqual([]);
      await softly.poll(() => cutTables(page), { message: `${message} cuts a table` }).toEqual([]);
    }
    await page.setViewportSize(DESKTOP);
  };
  for (const path of [...PANEL_PAGES, `/transacoes/${id}`]) {
    await shop.open(path);
    await check(path);
  }
  await shop.open('/nao-existe');
  await check('/nao-existe');
  await page.getByRole('link', { name: 'Ir para o início' }).click();
  await expect(page).toHaveURL(/\/inicio$/);
  await ownMenu.click();
  await expect(page.getByRole('menuitem', { name: 'Sair' })).toBeVisible();
  await page.keyboard.press('Escape');
  await noticesLeaveTheSearchFree(page, shop);
  await choicesShowInForcedColours(page);
  await amountsStayInSight(page, shop, [1210, 1000, 800]);
  await hintsComeToThePointer(page, shop);
  await page.setViewportSize(PHONE);
  await noticesLeaveTheSearchFree(page, shop);
  await page.setViewportSize(DESKTOP);
  await signOutAtOnce(page);
  for (const path of PAGES_BEFORE_SIGN_IN) {
    await page.goto(path);
    await check(path, { isSignedIn: false });
    const whereMailIs = page.getByText('a mensagem fica na pasta mail');
    await expect(whereMailIs).toHaveCount(path === '/senha' || path === '/cadastro' ? 1 : 0);
  }
  expect(thrown).toEqual([]);
  expect([...asked]).toEqual([new URL(baseURL ?? '').origin]);
});

test('a sign-up that the service would reject is not sent', async ({ page }) => {
  const sent: string[] = [];
  page.on('request', (request) => void (request.url().includes('session.signUp') && sent.push(request.url())));
  await page.goto('/cadastro');
  const document = page.getByLabel('CPF ou CNPJ');
  await page.getByLabel('Nome do negócio').fill('Loja Azul');
  await document.fill('390.533.447-04');
  await page.getByLabel('Seu nome').fill('Maria da Silva');
  await page.getByLabel('E-mail').fill('maria@example.com');
  await page.keyboard.press('Enter');
  await expect(document).toHaveAccessibleDescription('Não é um CPF nem um CNPJ válido: confira o número.');
  await expect(document).toBeFocused();
  expect(sent).toEqual([]);
});

test('what is typed before a page’s scripts arrive is kept, and the browser does not send it by itself', async ({
  page,
}) => {
  for (const path of ['/entrar', '/operator/entrar']) {
    let arrive = () => {};
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    await page.route('**/*.js', async (route) => {
      await arrived;
      await route.continue();
    });
    await page.goto(path, { waitUntil: 'commit' });
    const email = page.getByLabel('E-mail');
    const button = page.getByRole('button', { name: 'Entrar', exact: true });
    await email.fill('maria@example.com');
    await page.getByLabel('Senha', { exact: true }).fill('errada, de propósito');
    await page.keyboard.press('Enter');
    await button.click();
    expect(new URL(page.url())).toMatchObject({ pathname: path, search: '' });
    arrive();
    await expect(page.locator('form button[type=submit]:not([hidden])')).toBeAttached();
    if (path !== '/entrar') await page.getByLabel('Código').fill('123456');
    await button.click();
    await expect(page.getByRole('alert').filter({ hasText: /./ }).first()).toBeVisible();
    await expect(email).toHaveValue('maria@example.com');
    await page.unrouteAll({ behavior: 'wait' });
  }
});

test('planted: axe finds what is serious, and a page that scrolls sideways is found', async ({ page }) => {
  await page.setContent(`<html lang="pt-BR"><title>Página</title><main><h1>Página</h1><button></button>
    <p style="color: #999; background: #888; width: 4000px">Pálido</p></main></html>`);
  expect((await seriousViolations(page)).map((violation) => violation.split(':')[0])).toEqual([
    'button-name',
    'color-contrast',
  ]);
  expect((await seriousViolations(page, { only: 'colours' })).map((violation) => violation.split(':')[0])).toEqual([
    'color-contrast',
  ]);
  expect(await scrollsSideways(page)).toBe(true);
});

test('planted: crowded texts, a cut table, a name unlike its text, a default grey and an idle tab stop are found', async ({
  page,
}) => {
  await page.setContent(`<main><p style="margin: 0; width: 40px; white-space: nowrap; float: left">Saldo disponível</p><p style="margin: 0">A liberar</p>
    <button aria-label="Fechar" style="width: 60px; overflow: hidden; white-space: nowrap">Entrar com chave de acesso</button>
    <div role="radiogroup" style="width: 60px; overflow: hidden"><label style="white-space: nowrap">Produção Teste</label></div>
    <div style="width: 60px; overflow-x: auto"><table aria-label="Clientes"><tbody><tr><td style="min-width: 90px">Total</td></tr></tbody></table></div>
    <span tabindex="0">paga</span><p style="background: #2e2e2e">x</p></main>`);
  expect(await crowdedTexts(page)).toEqual([
    '“Saldo disponível” lies over “A liberar”',
    '“Entrar com chave de acesso” is cut',
    '“Produção Teste” is cut',
  ]);
  expect(await cutTables(page)).toEqual(['Clientes']);
  expect(await otherNames(page)).toEqual(['“entrar com chave de acesso” is called “fechar”']);
  expect(await idleTabStops(page)).toEqual(['SPAN : paga']);
  expect(await defaultGreys(page)).toEqual(['background rgb(46, 46, 46) of P ']);
});

test('pages of the panel are reached from each other by their shortcuts, and ? lists the shortcuts', async ({
  page,
  shop,
}) => {
  await shop.open('/inicio');
  const skip = page.getByRole('link', { name: 'Ir para o conteúdo' });
  // Out of sight until it is reached, also where text is twice as large.
  await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'));
  await expect(skip).not.toBeInViewport();
  await page.evaluate(() => document.documentElement.style.removeProperty('font-size'));
  await page.keyboard.press('Tab');
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  for (const [keys, heading] of [
    [['g', 't'], 'Transações'],
    [['g', 'e'], 'Extrato'],
    [['g', 'k'], 'Chaves de API'],
    [['g', 'w'], 'Webhooks'],
    [['c'], 'Nova cobrança'],
    [['g', 'i'], 'Início'],
    [['s'], 'Sacar'],
  ] as const) {
    // A form takes the cursor, and then letters are text.
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    for (const key of keys) await page.keyboard.press(key);
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
  }
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Atalhos do teclado' })).toBeVisible();
  await page.keyboard.press('Escape');
});

test('Ctrl-K finds pages, actions and a transaction by its e-mail, document, amount or id', async ({ page, shop }) => {
  const answer = await shop.post('/payments/transactions', {
    amount: 77.31,
    customerName: 'Joana Prado',
    customerEmail: 'joana.prado@example.com',
    customerDocument: '12345678909',
    customerDocumentType: 'CPF',
  });
  const id = (answer.body.data as { transaction_id: string }).transaction_id;
  await shop.open('/inicio');
  for (const text of ['joana.prado@example.com', '123.456.789-09', '77,31', id]) {
    await page.keyboard.press('Control+k');
    await page.getByRole('textbox', { name: 'Buscar páginas, ações e transações' }).fill(text);
    await page.getByRole('dialog').getByText('R$ 77,31').waitFor();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(new RegExp(`/transacoes/${id}`));
    await shop.open('/inicio');
  }
  await page.keyboard.press('Control+k');
  const field = page.getByRole('textbox', { name: 'Buscar páginas, ações e transações' });
  // What was found for another text is not what Enter means.
  await field.fill('77,31');
  await page.getByRole('dialog').getByText('R$ 77,31').waitFor();
  await field.fill('77,32');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Nada encontrado')).toBeVisible();
  await expect(page).toHaveURL(/\/inicio$/);
  await field.fill('verificacao');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Verificação' })).toBeVisible();
});

test('what is typed after Ctrl-K is searched for, also what comes before the code of the search', async ({
  page,
  shop,
}) => {
  await shop.open('/inicio');
  // The next scripts that the page asks for are those of the search.
  let arrive = () => {};
  const held = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  await page.route('**/_next/static/**/*.js', async (route) => {
    await held;
    await route.continue();
  });
  await page.keyboard.press('Control+k');
  // `c` alone would open a new charge, and Enter what has the focus.
  await page.keyboard.type('cobx');
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Enter');
  arrive();
  const field = page.getByRole('textbox', { name: 'Buscar páginas, ações e transações' });
  await expect(field).toBeFocused();
  await page.keyboard.type('ran');
  await expect(field).toHaveValue('cobran');
  await expect(page).toHaveURL(/\/inicio$/);
});

test('without internet the page says so, keeps what it shows, and continues when it is back', async ({
  page,
  shop,
}) => {
  await shop.createCharge({ amount: 41.07 });
  await shop.open('/transacoes');
  await expect(page.getByText('R$ 41,07').first()).toBeVisible();
  await page.context().setOffline(true);
  await expect(page.getByText('Você está sem internet. O que está na tela pode estar desatualizado.')).toBeVisible();
  await expect(page.getByText('R$ 41,07').first()).toBeVisible();
  await page.context().setOffline(false);
  await expect(page.getByText('Você está sem internet. O que está na tela')).toBeHidden();
});

test('the end of a page can be scrolled out from under the notice that there is no internet', async ({
  page,
  shop,
}) => {
  await page.setViewportSize({ width: 390, height: 600 });
  await shop.open('/cobrar');
  await page.context().setOffline(true);
  const notice = page.getByText('Você está sem internet. O que está na tela pode estar desatualizado.');
  await expect(notice).toBeVisible();
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
  const last = page.locator('main button[type=submit]');
  const { y = 0, height = 0 } = (await last.boundingBox()) ?? {};
  expect(height).toBeGreaterThan(0);
  expect(y + height).toBeLessThanOrEqual((await notice.boundingBox())?.y ?? 0);
  await page.context().setOffline(false);
});

test('a page whose data does not come says so, and asks again at a click', async ({ page, shop }) => {
  await shop.open('/inicio');
  let broken = true;
  await page.route('**/api/trpc/test/**', (route) => (broken ? route.abort() : route.continue()));
  await page.getByRole('link', { name: 'Limites e taxas' }).click();
  await expect(page.getByRole('alert').getByText('Não foi possível carregar')).toBeVisible({ timeout: 60_000 });
  broken = false;
  await page.getByRole('button', { name: 'Tentar de novo' }).click();
  await expect(page.getByRole('heading', { name: 'Taxas', exact: true })).toBeVisible();
});

async function settle(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator('[class*="mantine-Skeleton-root"][data-visible="true"]')).toHaveCount(0);
  await page.waitForTimeout(300);
}

/**
 * Waits until the page has rearranged itself: the frame after the one in which it learnt its width.
 */
const rearranged = (page: Page): Promise<void> =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))));

/** A notification covers neither the search button nor the search field. */
async function noticesLeaveTheSearchFree(page: Page, shop: PanelMerchant): Promise<void> {
  await shop.open('/preferencias');
  await page.getByRole('switch', { name: 'Saque que falhou' }).click();
  const notice = page.getByRole('alert').filter({ hasText: 'Salvo' });
  await expect(notice).toBeVisible();
  // It stays as long as the pointer is on it.
  await notice.hover();
  expect.soft(await overlap(notice, page.getByRole('button', { name: 'Buscar', exact: true }))).toBe(false);
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('textbox', { name: 'Buscar páginas, ações e transações' });
  await expect(palette).toBeVisible();
  expect.soft(await overlap(notice, palette)).toBe(false);
  await page.keyboard.press('Escape');
}

/** Where the browser chooses the colours, the chosen theme does not look like the others. */
async function choicesShowInForcedColours(page: Page): Promise<void> {
  await page.emulateMedia({ forcedColors: 'active' });
  const themes = page.getByRole('radiogroup', { name: 'Tema' });
  const colour = (part: Locator) => part.evaluate((element) => getComputedStyle(element).backgroundColor);
  const other = await colour(themes.locator('label:not([data-active])').first());
  expect.soft(await colour(themes.locator('label[data-active]'))).not.toBe(other);
  await page.emulateMedia({ forcedColors: 'none' });
}

/**
 * With every column shown, the amount is completely visible and the page does not scroll sideways.
 */
async function amountsStayInSight(page: Page, shop: PanelMerchant, widths: readonly number[]): Promise<void> {
  await shop.open('/transacoes');
  await page.getByRole('button', { name: 'Colunas' }).click();
  for (const box of await page.getByRole('dialog').getByRole('checkbox').all()) await box.setChecked(true);
  await page.keyboard.press('Escape');
  for (const width of widths) {
    await page.setViewportSize({ width, height: DESKTOP.height });
    const amount = page.getByText('R$ 100,50').first();
    await expect(amount).toBeVisible();
    // The table becomes the list a moment after the window was resized.
    await expect.poll(() => isOnTop(amount), { message: `the amount at ${width} px` }).toBe(true);
    expect.soft(await scrollsSideways(page), `every column at ${width} px`).toBe(false);
  }
  await page.setViewportSize(DESKTOP);
  // The browser keeps the choice; the server made the page without it.
  const columns = page.getByRole('columnheader');
  // The narrow list has become the table.
  await expect(columns.first()).toBeVisible();
  const chosen = await columns.count();
  await page.reload();
  await expect(columns).toHaveCount(chosen);
}

/** The meaning of a status is shown while the pointer is on it. */
async function hintsComeToThePointer(page: Page, shop: PanelMerchant): Promise<void> {
  await shop.open('/transacoes');
  const hint = page.locator('.mantine-Tooltip-tooltip').getByText('O valor líquido está no saldo disponível.');
  await page.getByRole('cell').getByText('paga', { exact: true }).first().hover();
  await expect(hint).toBeVisible();
  await page.getByRole('heading', { level: 1 }).hover();
  await expect(hint).toHaveCount(0);
}

async function overlap(one: Locator, other: Locator): Promise<boolean> {
  const [a, b] = [await one.boundingBox(), await other.boundingBox()];
  if (!a || !b) throw new Error('One of them is not on the page.');
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

/**
 * Whether the first and last letters of a text in a row are seen: nothing lies over its cell, and
 * the cell holds all of it.
 */
const isOnTop = (text: Locator) =>
  text.evaluate((element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const seen = [left + 2, right - 2].map((x) => document.elementFromPoint(x, (top + bottom) / 2));
    const cell = element.closest('td, li');
    return cell !== null && seen.every((one) => cell.contains(one));
  });

const scrollsSideways = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
