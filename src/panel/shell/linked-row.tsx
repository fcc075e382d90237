import type { ComponentProps, MouseEvent } from 'react';
import { Link } from '#panel/link.tsx';
import classes from './linked-row.module.css';

/** What does something by itself: a click on it is not for the row. */
const ACTS = 'a, button, input, select, textarea, label, summary, [role="button"], [role="menuitem"]';
const MIDDLE_BUTTON = 1;

/**
 * A row of a table that leads where its `RowLink` leads, wherever it is clicked; with Ctrl, Cmd,
 * Shift or the middle button in a tab of its own. Nothing lies over it and it is no link itself, so
 * that its text can be selected, and what can be pressed in it does its own thing. For the keyboard
 * and for screen readers the link in it is the row.
 */
export const LinkedRow = ({ className, ...props }: ComponentProps<'tr'>) => (
  <tr className={`${classes.row} ${className ?? ''}`} {...LEADS} {...props} />
);

/** The same for a list that is no table. */
export const LinkedLine = ({ className, ...props }: ComponentProps<'div'>) => (
  <div className={`${classes.row} ${className ?? ''}`} {...LEADS} {...props} />
);

type RowLinkProps = ComponentProps<typeof Link> & { open?: () => void; isName?: boolean };

/**
 * Where its row leads. `open`: what a click does instead of asking the server for a page; another
 * tab stays the browser's. `isName`: it names its row, and is underlined where that is pointed at.
 */
export function RowLink({ open, isName = false, className, ...props }: RowLinkProps) {
  return (
    <Link
      scroll={false}
      {...props}
      className={`${classes.link} ${isName ? classes.name : ''} ${className ?? ''}`}
      data-row-link
      onClick={(event) => {
        if (!open || asksForTab(event)) return;
        event.preventDefault();
        open();
      }}
    />
  );
}

const LEADS = {
  onClick: follow,
  onAuxClick(event: MouseEvent<HTMLElement>) {
    if (event.button === MIDDLE_BUTTON) follow(event);
  },
  // Where the middle button scrolls by itself it would not click.
  onMouseDown(event: MouseEvent<HTMLElement>) {
    if (event.button === MIDDLE_BUTTON && isForRow(event)) event.preventDefault();
  },
};

function follow(event: MouseEvent<HTMLElement>): void {
  const row = event.currentTarget;
  const link = row.querySelector<HTMLAnchorElement>('a[data-row-link]');
  if (!link || !isForRow(event) || hasSelection(row)) return;
  if (asksForTab(event)) window.open(link.href, '_blank', 'noopener');
  else link.click();
}

const asksForTab = (event: MouseEvent) =>
  event.metaKey || event.ctrlKey || event.shiftKey || event.button === MIDDLE_BUTTON;

/** Not for what acts in it, nor for a dialog that was opened from it and lies elsewhere. */
function isForRow({ target, currentTarget }: MouseEvent<HTMLElement>): boolean {
  if (!(target instanceof Element) || !currentTarget.contains(target)) return false;
  const acting = target.closest(ACTS);
  return acting === null || !currentTarget.contains(acting) || acting === currentTarget;
}

/** A click that ends a selection of text is no navigation. */
function hasSelection(row: HTMLElement): boolean {
  const selection = window.getSelection();
  return selection !== null && !selection.isCollapsed && selection.containsNode(row, true);
}
