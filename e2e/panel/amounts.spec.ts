import type { CDPSession, Page } from '@playwright/test';
import { readTypedAmount } from '../../src/domain/typed-amount.ts';
import { expect, test } from './fixtures.ts';

test.use({ locale: 'pt-BR' });

type Keyboard = CDPSession;
type Field = { text: string; understood: string | null; error: string | null; button: string | null };
/** What is done to an empty field, and the text that a plain text field would hold then. */
type Case = { keys: string[]; text: string };

/** What was once misread, and what else people type. */
const KNOWN = ['1.234,56', '1.500', '1,234.56', '10,01', '1e3', '-5', '0,005', '99999999999', '5,', ',50', 'R$ 1,00'];

const WAYS: { name: string; enter(page: Page, keyboard: Keyboard, one: Case): Promise<unknown>; cases: Case[] }[] = [
  { name: 'as fast as the browser takes keys', enter: inOneGo, cases: [...KNOWN.map(typed), ...some(120, edited)] },
  { name: 'as fast, the processor ten times slower', enter: tenTimesSlower, cases: some(20, edited) },
  { name: 'key after key', enter: (page, _, { text }) => page.keyboard.type(text), cases: KNOWN.map(typed) },
  {
    name: 'a key every 100 ms',
    enter: (page, _, { text }) => page.keyboard.type(text, { delay: 100 }),
    cases: ['1.234,56', '1.500'].map(typed),
  },
  { name: 'pasted', enter: pasted, cases: [...KNOWN, ...some(10, randomText)].map(typed) },
];

test('a typed amount is what the field shows, says and sends, however fast and in whatever order it is typed', async ({
  page,
  shop,
}) => {
  // Some thousand keys.
  test.slow();
  await shop.open('/cobrar');
  const keyboard = await page.context().newCDPSession(page);
  const input = page.getByLabel('Valor em reais');
  await input.focus();
  const wrong: unknown[] = [];

  for (const { name, enter, cases } of WAYS) {
    for (const one of cases) {
      await command(keyboard, 'selectAll');
      await enter(page, keyboard, one);
      const field = await look(page);
      if (!isConsistent(field, one.text)) wrong.push({ name, ...one, field });
    }
  }

  // A click into a filled field, and typing goes on where the click was.
  for (let run = 0; run < 8; run++) {
    const before = randomText();
    await command(keyboard, 'selectAll');
    await inOneGo(page, keyboard, typed(before));
    await page.getByLabel('Nome', { exact: true }).focus();
    await input.click({ position: { x: 40 + run * 8, y: 15 } });
    const caret = await input.evaluate((element: HTMLInputElement) => element.selectionStart ?? -1);
    await page.keyboard.type('7');
    const text = `${before.slice(0, caret)}7${before.slice(caret)}`;
    const field = await look(page);
    if (!isConsistent(field, text)) wrong.push({ name: 'filled', text, field });
  }
  expect(wrong).toEqual([]);

  // What the button says is what is sent.
  const sent: unknown[] = [];
  await page.route('**/charges.create**', async (route) => {
    sent.push(route.request().postDataJSON().amount);
    await route.abort();
  });
  for (const [text, shown, amount] of [
    ['1.234,56', 'Cobrar R$ 1.234,56', 1234.56],
    ['1.500', 'Cobrar R$ 1.500,00', 1500],
    ['131072,01', 'Cobrar R$ 131.072,01', 131_072.01],
    [',05', 'Cobrar R$ 0,05', 0.05],
  ] as const) {
    await input.fill(text);
    await page.getByRole('button', { name: shown }).click();
    await expect(page.getByText('Não sabemos se o pedido chegou.')).toBeVisible();
    expect(sent.pop()).toBe(amount);
  }
  // A refused text is not sent at all.
  await input.fill('1e3');
  await page.getByRole('button', { name: 'Criar cobrança PIX' }).click();
  await expect(page.getByText('Use só números, ponto e vírgula, como 1.234,56.')).toBeVisible();
  await expect(input).toBeFocused();
  expect(sent).toEqual([]);
});

/** No key waits for what the page makes of the one before. */
function inOneGo(_page: Page, keyboard: Keyboard, { keys }: Case): Promise<unknown> {
  return Promise.all(keys.map((key) => keyboard.send('Input.dispatchKeyEvent', keyDown(key))));
}

async function tenTimesSlower(page: Page, keyboard: Keyboard, one: Case): Promise<void> {
  await keyboard.send('Emulation.setCPUThrottlingRate', { rate: 10 });
  await inOneGo(page, keyboard, one);
  await keyboard.send('Emulation.setCPUThrottlingRate', { rate: 1 });
}

async function pasted(page: Page, keyboard: Keyboard, { text }: Case): Promise<void> {
  await page.getByLabel('Nome', { exact: true }).focus();
  await command(keyboard, 'selectAll');
  await keyboard.send('Input.insertText', { text });
  await command(keyboard, 'selectAll');
  await command(keyboard, 'copy');
  await page.getByLabel('Valor em reais').focus();
  await command(keyboard, 'selectAll');
  await command(keyboard, 'paste');
}

const keyDown = (key: string) =>
  key === 'Backspace' || key === 'Delete'
    ? { type: 'rawKeyDown' as const, key, commands: [key === 'Delete' ? 'deleteForward' : 'deleteBackward'] }
    : key.length > 1
      ? { type: 'rawKeyDown' as const, key, commands: [key === 'ArrowLeft' ? 'moveLeft' : 'moveRight'] }
      : { type: 'keyDown' as const, text: key };

const command = (keyboard: Keyboard, name: 'selectAll' | 'copy' | 'paste') =>
  keyboard.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', commands: [name] });

/** What somebody sees, a no-break space as a space. */
const look = (page: Page): Promise<Field> =>
  page.evaluate(() => {
    const textOf = (selector: string) =>
      document.querySelector(selector)?.textContent?.replaceAll('\u00a0', ' ') ?? null;
    return {
      text: document.querySelector<HTMLInputElement>('input[inputmode="decimal"]')?.value ?? '',
      understood: textOf('[data-testid="understood-amount"]'),
      error: textOf('[class*="InputWrapper-error"]'),
      button: textOf('button[type="submit"]'),
    };
  });

/** The text is as it was typed; it is understood as the parser reads it, or refused with a sentence. */
function isConsistent(field: Field, text: string): boolean {
  const { centavos, issue } = readTypedAmount(text, 'pt-BR');
  const isBeginning = issue === 'empty' || issue === 'zero' || issue === 'no_digits';
  const said = centavos === null ? null : inReais(centavos);
  return (
    field.text === text &&
    field.understood === said &&
    field.button === (said === null ? 'Criar cobrança PIX' : `Cobrar ${said}`) &&
    (field.error !== null) === (centavos === null && !isBeginning)
  );
}

function inReais(centavos: bigint): string {
  const whole = String(centavos / 100n).replace(/\B(?=(\d{3})+$)/g, '.');
  return `R$ ${whole},${String(centavos % 100n).padStart(2, '0')}`;
}

function typed(text: string): Case {
  return { keys: [...text], text };
}

/** An amount that is typed and then changed in the middle. */
function edited(): Case {
  const { keys, text: whole } = typed(randomText());
  let text = whole;
  let caret = text.length;
  for (let change = Math.floor(Math.random() * 3); change > 0; change--) {
    const target = Math.floor(Math.random() * (text.length + 1));
    keys.push(...Array<string>(Math.abs(target - caret)).fill(target < caret ? 'ArrowLeft' : 'ArrowRight'));
    const key = randomOf([...'0123456789.,', 'Backspace', 'Delete']);
    keys.push(key);
    const [before, after] = [text.slice(0, target), text.slice(target)];
    if (key === 'Backspace') text = before.slice(0, -1) + after;
    else text = before + (key === 'Delete' ? after.slice(1) : key + after);
    caret = key === 'Delete' ? target : key === 'Backspace' ? Math.max(target - 1, 0) : target + 1;
  }
  return { keys, text };
}

/** Mostly an amount as it is written, sometimes anything. */
function randomText(): string {
  if (Math.random() < 0.2)
    return some(1 + Math.floor(Math.random() * 8), () => randomOf([...'0123456789.,-e'])).join('');
  const text = inReais(BigInt(1 + Math.floor(Math.random() * 10 ** (1 + Math.floor(Math.random() * 8))))).slice(3);
  const english = text.replace(/[.,]/g, (separator) => (separator === '.' ? ',' : '.'));
  return randomOf([text, text.replaceAll('.', ''), english, `R$ ${text}`]);
}

function some<T>(length: number, make: () => T): T[] {
  return Array.from({ length }, make);
}

function randomOf(choices: readonly string[]): string {
  return choices[Math.floor(Math.random() * choices.length)] ?? '';
}
