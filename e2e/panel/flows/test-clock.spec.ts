import { expect, test } from '../fixtures.ts';

const DAY_MS = 24 * 3_600_000;

test('a test clock is moved forward, and the pages count the time that is left by it @width-independent', async ({
  page,
  shop,
}) => {
  await shop.pays((await shop.createCharge({ amount: 200.51, description: 'Pedido 7' })).id);
  await shop.open('/sandbox');
  const advance = page.getByRole('button', { name: 'Avançar o relógio' });
  await expect(advance).toBeEnabled();
  await advance.press('Enter');
  await expect(page.getByText('adiantado')).toBeVisible();
  // The button was busy while the clock moved, and kept the keyboard's focus.
  await expect(advance).toBeFocused();
  await expect(page.getByText(/^Relógio de teste: /)).toBeVisible();

  // Its cents have it contested after a minute, with five days for an answer; one of them is over.
  await shop.open('/inicio');
  await expect(page.getByText(/Responda até .*, daqui a 4 dias/)).toBeVisible();
  const left = page.getByRole('cell', { name: 'daqui a 4 dias', exact: true });
  await shop.open('/disputas');
  await expect(left).toBeVisible();
  // Nor does the clock of the device count, which may be wrong.
  await page.clock.install({ time: new Date(Date.now() - 3 * DAY_MS) });
  await shop.open('/disputas');
  await expect(left).toBeVisible();
});
