import { useTranslations } from 'next-intl';
import { useEffect, useRef, useState } from 'react';

/** Rows of a `DataTable`, without the headings of groups. */
const ROWS = 'tbody > tr:not(:has(> [scope="rowgroup"]))';

type Before = { loads: number; count: number; rows: ReadonlySet<Element> };

/**
 * What follows a press of the button for more rows: the focus goes to the first new row, because
 * the button is far below it, or gone; and a text for screen readers says how many came. `loads`:
 * how often rows have come; `count`: how many there are.
 */
export function useMoreRows({ loads, count }: { loads: number; count: number }) {
  const t = useTranslations('panel.shell');
  const list = useRef<HTMLDivElement>(null);
  const before = useRef<Before>(null);
  const [announcement, announce] = useState('');
  useEffect(() => {
    const pressed = before.current;
    if (!pressed || !list.current || loads === pressed.loads) return;
    before.current = null;
    // A filter has made another list of it.
    if (loads < pressed.loads) return announce('');
    announce(t('moreRows', { count: count - pressed.count, total: count }));
    // Who went on meanwhile is left where they are.
    const { activeElement } = document;
    if (activeElement !== document.body && !list.current.contains(activeElement)) return;
    const first = [...list.current.querySelectorAll<HTMLElement>(ROWS)].find((row) => !pressed.rows.has(row));
    focus(first ?? list.current);
  }, [loads, count, t]);
  /** To be called before the rows are asked for. */
  const pressed = () => {
    before.current = { loads, count, rows: new Set(list.current?.querySelectorAll(ROWS)) };
  };
  return { list, pressed, announcement };
}

/** Puts the focus on the first link or button of an element, else on the element itself. */
function focus(element: HTMLElement): void {
  const control = element.matches('tr') ? element.querySelector<HTMLElement>('a[href], button:enabled') : null;
  if (!control) element.tabIndex = -1;
  (control ?? element).focus();
}
