import type { Page } from '@playwright/test';

/**
 * Visible flaws of a page, and those that the keyboard meets, each as a sentence. They are searched
 * for in the browser.
 */

/** Greys of the component library that were not chosen here, in both themes. */
const DEFAULT_GREYS = [
  ...['#c9c9c9', '#b8b8b8', '#828282', '#696969', '#424242', '#3b3b3b', '#2e2e2e', '#242424', '#1f1f1f', '#141414'],
  ...['#f8f9fa', '#f1f3f5', '#e9ecef', '#dee2e6', '#ced4da', '#adb5bd', '#868e96', '#495057', '#343a40', '#212529'],
];

/** Returns where one of those greys is visible: as a background, a border or a text. */
export const defaultGreys = (page: Page): Promise<string[]> =>
  page.evaluate((greys) => {
    const unwanted = new Set(
      greys.map((hex) => `rgb(${[1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)).join(', ')})`),
    );
    const found = new Set<string>();
    for (const element of document.body.querySelectorAll('*')) {
      const { width, height } = element.getBoundingClientRect();
      if (width === 0 || height === 0 || !element.checkVisibility({ visibilityProperty: true })) continue;
      const style = getComputedStyle(element);
      const seen = [
        ['background', style.backgroundColor],
        ['border', style.borderTopWidth === '0px' ? '' : style.borderTopColor],
        ['text', element.childElementCount === 0 && element.textContent?.trim() ? style.color : ''],
      ] as const;
      for (const [what, colour] of seen) {
        if (unwanted.has(colour)) found.add(`${what} ${colour} of ${element.tagName} ${element.className}`);
      }
    }
    return [...found];
  }, DEFAULT_GREYS);

/**
 * Returns texts that lie over each other, and words of buttons and bars that are cut or broken,
 * after every amount was replaced by one of seven digits. Sticky parts may lie over what scrolls
 * below them.
 */
export const crowdedTexts = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    for (const amount of document.querySelectorAll('[data-size]')) {
      const text = [...amount.childNodes].findLast((node) => node.nodeType === Node.TEXT_NODE);
      const sign = /^(\u2212?)R\$/.exec(text?.nodeValue ?? '')?.[1];
      if (text && sign !== undefined) text.nodeValue = `${sign}R$\u00a01.234.567,89`;
    }
    type Box = { left: number; right: number; top: number; bottom: number };
    const cut = (one: Box, other: Box): Box => ({
      left: Math.max(one.left, other.left),
      right: Math.min(one.right, other.right),
      top: Math.max(one.top, other.top),
      bottom: Math.min(one.bottom, other.bottom),
    });
    /** Whether an overlap is larger than the rounding of line heights. */
    const isReal = ({ left, right, top, bottom }: Box) => right - left > 2 && bottom - top > 4;
    const isHidden = (element: Element) =>
      element.closest('.visually-hidden, [hidden], svg, script, style, noscript') !== null ||
      getComputedStyle(element).clipPath !== 'none' ||
      getComputedStyle(element).position === 'absolute' ||
      !element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    const shownBoxes = (node: Text): Box[] => {
      const range = document.createRange();
      range.selectNodeContents(node);
      let boxes: Box[] = [...range.getClientRects()];
      for (let around = node.parentElement; around; around = around.parentElement) {
        const style = getComputedStyle(around);
        if (style.position === 'sticky' || style.clipPath !== 'none') return [];
        if (style.overflowX !== 'visible') boxes = boxes.map((box) => cut(box, around.getBoundingClientRect()));
      }
      return boxes.filter(isReal);
    };
    const flaws = new Set<string>();
    for (const part of document.querySelectorAll('header, nav, main')) {
      const texts: { text: string; boxes: Box[] }[] = [];
      const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const { parentElement: around } = node;
        if (!node.nodeValue?.trim() || !around || isHidden(around)) continue;
        if (around.closest('header, nav, main') !== part) continue;
        const boxes = shownBoxes(node as Text);
        if (boxes.length > 0) texts.push({ text: node.nodeValue.trim().slice(0, 40), boxes });
      }
      texts.forEach((one, index) => {
        for (const other of texts.slice(index + 1)) {
          if (one.boxes.some((a) => other.boxes.some((b) => isReal(cut(a, b)))))
            flaws.add(`“${one.text}” lies over “${other.text}”`);
        }
      });
    }
    for (const word of document.querySelectorAll('button, footer a, nav a, [role="radiogroup"]')) {
      const text = (word as HTMLElement).innerText.trim();
      if (!text || isHidden(word)) continue;
      for (const inner of [word, ...word.querySelectorAll('*')]) {
        const style = getComputedStyle(inner);
        // An ellipsis shows that there is more.
        const cuts = style.overflowX !== 'visible' && style.textOverflow !== 'ellipsis' && style.display !== 'inline';
        if (cuts && inner.scrollWidth > inner.clientWidth + 1) flaws.add(`“${text}” is cut`);
      }
    }
    for (const tab of document.querySelectorAll('footer a, footer button, nav[class*="footer"] a')) {
      const range = document.createRange();
      range.selectNodeContents(tab);
      const lines = new Set(
        [...range.getClientRects()].filter(({ width }) => width > 24).map(({ top }) => Math.round(top)),
      );
      if (lines.size > 1) flaws.add(`“${(tab as HTMLElement).innerText}” takes ${lines.size} lines`);
    }
    return [...flaws];
  });

/** Returns the names of tables of which a part is seen only after scrolling sideways in them. */
export const cutTables = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('table')]
      .filter(({ parentElement: around }) => around && around.scrollWidth > around.clientWidth + 1)
      .map((table) => table.getAttribute('aria-label') ?? table.innerText.slice(0, 40)),
  );

/**
 * Returns controls whose accessible name does not begin with the text that is seen; a link's name
 * may have it anywhere.
 */
export const otherNames = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const plain = (text: string) => text.replace(/\s+/g, ' ').trim().toLowerCase();
    const flaws: string[] = [];
    for (const element of document.querySelectorAll('button[aria-label], a[aria-label], [role="button"][aria-label]')) {
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      let seen = '';
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const around = node.parentElement;
        const isRead = around?.checkVisibility() && !around.closest('[aria-hidden="true"], .visually-hidden, svg');
        if (isRead) seen += node.nodeValue;
      }
      const text = plain(seen);
      const name = plain(element.getAttribute('aria-label') ?? '');
      const agrees = element.tagName === 'A' ? name.includes(text) : name.startsWith(text);
      if (text && !agrees) flaws.push(`“${text}” is called “${name}”`);
    }
    return flaws;
  });

/** Returns elements at which the Tab key stops though nothing can be done there. */
export const idleTabStops = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('[tabindex="0"]')]
      .filter(
        (element) => !element.matches('a, button, input, select, textarea, summary, [role], pre, [contenteditable]'),
      )
      // An element that the keyboard scrolls has to be reached by it.
      .filter((element) => element.scrollWidth <= element.clientWidth && element.scrollHeight <= element.clientHeight)
      .map((element) => `${element.tagName} ${element.className}: ${element.textContent?.slice(0, 40)}`),
  );

/**
 * Returns what a screen reader could not distinguish or follow: a page whose first heading is not
 * its only one of the first level, tables without a name, links and buttons of rows that are called
 * the same and do something else, and attributes that name an element that is not there.
 */
export const unclearNames = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const flaws: string[] = [];
    const seen = (selector: string) =>
      [...document.querySelectorAll(selector)].filter((element) =>
        element.checkVisibility({ visibilityProperty: true }),
      );
    const isHidden = (element: Element) => element.closest('[aria-hidden="true"]') !== null;
    const headings = seen('h1, h2, h3, h4, h5, h6').filter((one) => !one.closest('[role="dialog"]'));
    const first = headings.filter(({ tagName }) => tagName === 'H1');
    if (first.length !== 1 || headings[0] !== first[0])
      flaws.push(`${first.length} h1, after ${headings[0]?.textContent}`);
    for (const table of seen('table')) {
      const named = table.getAttribute('aria-labelledby');
      const name = table.getAttribute('aria-label') ?? table.querySelector('caption')?.textContent;
      if (!name && !(named && document.getElementById(named)?.textContent)) flaws.push(`a table without a name`);
    }
    for (const group of seen('[role="radiogroup"]')) {
      const named = group.getAttribute('aria-labelledby');
      if (!group.getAttribute('aria-label') && !(named && document.getElementById(named))) {
        flaws.push(`a choice without a name: ${group.textContent?.slice(0, 40)}`);
      }
    }
    for (const attribute of ['aria-labelledby', 'aria-describedby']) {
      for (const element of seen(`[${attribute}]`)) {
        const lost = element
          .getAttribute(attribute)
          ?.split(/\s+/)
          .filter((id) => id && !document.getElementById(id));
        if (lost?.length) flaws.push(`${attribute} names ${lost.join(', ')}, which is not there`);
      }
    }
    // A part that is closed is not there yet, but its id must be one.
    for (const element of seen('[aria-controls]')) {
      if (/\s/.test(element.getAttribute('aria-controls') ?? '')) flaws.push(`“${element.textContent}” controls no id`);
    }
    const rows = seen('tbody tr :is(a[href], button)').filter((one) => !isHidden(one));
    const byName = Map.groupBy(rows, (one) => (one.getAttribute('aria-label') ?? one.textContent ?? '').trim());
    for (const [name, all] of byName) {
      const targets = new Set(all.map((one, index) => one.getAttribute('href') ?? index));
      // In a row of its own, a name that says what it does is enough for what only copies or opens.
      if (targets.size > 1) flaws.push(`${targets.size} of a table are called “${name}”`);
    }
    return flaws;
  });

/**
 * Goes through a page by the Tab key, and returns what then has the focus under something else, out
 * of sight, or without showing it.
 */
export async function hiddenFocus(page: Page): Promise<string[]> {
  const flaws = new Set<string>();
  await page.evaluate(() => {
    document.body.tabIndex = -1;
    document.body.focus();
    document.body.removeAttribute('tabindex');
    window.scrollTo(0, 0);
  });
  for (let stop = 0; stop < TAB_STOPS_MAX; stop++) {
    await page.keyboard.press('Tab');
    const flaw = await page.evaluate(async () => {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      const focused = document.activeElement;
      if (!focused || focused === document.body || focused.hasAttribute('data-reached')) return null;
      focused.setAttribute('data-reached', '');
      // A box or a switch is drawn by what stands beside its own element; a row shows its link's.
      const own = focused instanceof HTMLInputElement ? focused.labels?.[0] : null;
      const around = [focused, own, focused.parentElement, focused.parentElement?.closest('tr, li, [class*="row"]')];
      const drawn = [...around, ...focused.querySelectorAll('*'), focused.nextElementSibling].filter(
        (one) => one !== null,
      );
      const name = `${focused.tagName} “${focused.getAttribute('aria-label') ?? own?.textContent ?? focused.textContent?.slice(0, 40)}”`;
      const shows = drawn.some((one) => one && getComputedStyle(one).outlineStyle !== 'none');
      if (!shows) return `${name} does not show that it has the focus`;
      const box = focused.getBoundingClientRect();
      const x = Math.min(Math.max(box.left + Math.min(box.width / 2, 20), 1), window.innerWidth - 1);
      const at = document.elementFromPoint(x, box.top + Math.min(box.height / 2, 12));
      if (!at) return `${name} is out of sight`;
      const bar = at.closest('header, nav, footer');
      return bar && !bar.contains(focused) && getComputedStyle(bar).position === 'fixed'
        ? `${name} is under a bar`
        : '';
    });
    if (flaw === null) return [...flaws];
    if (flaw) flaws.add(flaw);
  }
  return [...flaws, `more than ${TAB_STOPS_MAX} stops`];
}

const TAB_STOPS_MAX = 250;
