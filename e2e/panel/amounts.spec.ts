import type { CDPSession, Page } from '@playwright/test';
import { readTypedAmount } from '../../src/domain/values/read-typed-amount.ts';
import { expect, test } from './fixtures.ts';

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

type Keyboard = CDPSession;
type Field = { text: string; understood: string | null; error: string | null; button: string | null };
/**
 * The keys that are pressed in an empty field, and the text that a plain text field would then
 * hold.
 */
type Case = { keys: string[]; text: string };

/** Texts that were once misread, and others that people type. */
const KNOWN = ['1.234,56', '1.500', '1,234.56', '10,01', '1e3', '-5', '0,005', '99999999999', '5,', ',50', 'R$ 1,00'];

/** The key at which the page records what it shows. */
const LOOK = 'F9';

test('a typed amount is what the field shows, says and sends, however fast and in whatever order it is typed', async ({
  page,
  shop,
}) => {
  await shop.open('/cobrar');
  const keyboard = await page.context().newCDPSession(page);
  const input = page.getByLabel('Valor em reais');
  await lookAtKey(page);
  await input.focus();
  const wrong: unknown[] = [];
  const check = (way: string, cases: readonly Case[], fields: readonly Field[]) => {
    expect(fields).toHaveLength(cases.length);
    for (const [at, one] of cases.entries()) {
      const field = fields[at];
      if (!field || !isConsistent(field, one.text)) wrong.push({ way, ...one, field });
    }
  };

  // src/domain/values/read-typed-amount.test.ts tries how tens of thousands of texts are read. Here
  // no input waits until the page has handled the one before: first the browser's editing commands
  // alone, which take no longer than the page's own work, then keys.
  const commanded = some(40, edited);
  check('as fast as the page can run', commanded, await byCommands(page, commanded));
  const fast = [...KNOWN.map(typed), ...some(8, edited)];
  check('as fast as the browser takes keys', fast, await inOneGo(page, keyboard, fast));

  const slow = ['10,01', '1.234,56'].map(typed);
  await keyboard.send('Emulation.setCPUThrottlingRate', { rate: 10 });
  const seenSlowly = await inOneGo(page, keyboard, slow);
  await keyboard.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  check('as fast, the processor ten times slower', slow, seenSlowly);

  for (const [text, delay] of [
    ['1,234.56', 0],
    ['10,01', 0],
    ['1.234,56', 100],
  ] as const) {
    await command(keyboard, 'selectAll');
    await page.keyboard.type(text, { delay });
    check(`a key every ${delay} ms`, [typed(text)], await inOneGo(page, keyboard, []));
  }

  for (const text of [...KNOWN, '  R$\u00a01.234,56\n', '10,01 reais']) {
    await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
    await command(keyboard, 'selectAll');
    await command(keyboard, 'paste');
    // A field of one line drops line breaks.
    check('pasted', [typed(text.replace('\n', ''))], await inOneGo(page, keyboard, []));
  }

  // A click into a filled field places the cursor, and typing continues there.
  for (const [run, before] of ['1.234,56', '10,01', '999999,99'].entries()) {
    await input.fill(before);
    await page.getByLabel('Nome', { exact: true }).focus();
    await input.click({ position: { x: 40 + run * 12, y: 15 } });
    const caret = await input.evaluate((element: HTMLInputElement) => element.selectionStart ?? -1);
    await page.keyboard.type('7');
    const text = `${before.slice(0, caret)}7${before.slice(caret)}`;
    check('into a filled field', [typed(text)], await inOneGo(page, keyboard, []));
  }
  expect(wrong).toEqual([]);

  // The amount on the button is the amount that is sent.
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
  // A rejected text is not sent at all.
  await input.fill('1e3');
  await page.getByRole('button', { name: 'Criar cobrança PIX' }).click();
  await expect(page.getByText('Use só números, ponto e vírgula, como 1.234,56.')).toBeVisible();
  await expect(input).toBeFocused();
  expect(sent).toEqual([]);
});

/**
 * Replaces the field's text case by case, all of them in one stream of keys, and returns what the
 * page showed after each; without a case, what it shows now.
 */
async function inOneGo(page: Page, keyboard: Keyboard, cases: readonly Case[]): Promise<Field[]> {
  const press = (event: Parameters<typeof keyDown>[0]) => keyboard.send('Input.dispatchKeyEvent', keyDown(event));
  const streams = cases.length === 0 ? [[LOOK]] : cases.map(({ keys }) => ['selectAll', ...keys, LOOK]);
  await Promise.all(streams.flat().map(press));
  return page.evaluate(() => (window as unknown as { looks: Field[] }).looks.splice(0));
}

/** The commands of the browser's own keymap that a key triggers. */
const COMMANDS: Readonly<Record<string, string>> = {
  selectAll: 'selectAll',
  paste: 'paste',
  Backspace: 'deleteBackward',
  Delete: 'deleteForward',
  ArrowLeft: 'moveLeft',
  ArrowRight: 'moveRight',
};

function keyDown(key: string) {
  const named = COMMANDS[key];
  if (named) return { type: 'rawKeyDown' as const, key, commands: [named] };
  return key === LOOK ? { type: 'rawKeyDown' as const, key } : { type: 'keyDown' as const, text: key };
}

const command = (keyboard: Keyboard, name: 'selectAll' | 'paste') =>
  keyboard.send('Input.dispatchKeyEvent', keyDown(name));

/** Like `inOneGo` without keys: the page itself runs the commands that they trigger. */
const byCommands = (page: Page, cases: readonly Case[]): Promise<Field[]> =>
  page.evaluate(
    async (streams) => {
      const named: Record<string, () => void> = {
        Backspace: () => document.execCommand('delete'),
        Delete: () => document.execCommand('forwardDelete'),
        ArrowLeft: () => getSelection()?.modify('move', 'backward', 'character'),
        ArrowRight: () => getSelection()?.modify('move', 'forward', 'character'),
      };
      const { look, looks } = window as unknown as { look: () => void; looks: Field[] };
      for (const keys of streams) {
        document.execCommand('selectAll');
        for (const key of keys) (named[key] ?? (() => document.execCommand('insertText', false, key)))();
        await new Promise((resolve) => setTimeout(resolve));
        look();
      }
      return looks.splice(0);
    },
    cases.map(({ keys }) => keys),
  );

/** From now on the page records at each key what is visible, a no-break space as a space. */
const lookAtKey = (page: Page): Promise<void> =>
  page.evaluate((key) => {
    const textOf = (selector: string) =>
      document.querySelector(selector)?.textContent?.replaceAll('\u00a0', ' ') ?? null;
    const looks: Field[] = [];
    const look = () =>
      looks.push({
        text: document.querySelector<HTMLInputElement>('input[inputmode="decimal"]')?.value ?? '',
        understood: textOf('[data-testid="understood-amount"]'),
        error: textOf('[class*="InputWrapper-error"]'),
        button: textOf('button[type="submit"]'),
      });
    Object.assign(window, { look, looks });
    window.addEventListener('keydown', (event) => {
      if (event.key === key) look();
    });
  }, LOOK);

/**
 * Whether the field shows the text as it was typed, and the amount that the parser reads from it or
 * an error.
 */
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
