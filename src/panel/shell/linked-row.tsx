import type { ComponentProps, MouseEvent } from 'react';
import { Link } from '#panel/link.tsx';
import classes from './linked-row.module.css';

/** Elements that handle a click themselves: it is not for the row. */
const ACTS = 'a, button, input, select, textarea, label, summary, [role="button"], [role="menuitem"]';
const MIDDLE_BUTTON = 1;

/**
 * A row of a table that leads where its `RowLink` leads, wherever it is clicked; with Ctrl, Cmd,
 * Shift or the middle button in another tab. Nothing lies over it and it is no link itself, so that
 * its text can be selected and its controls work. For the keyboard and for screen readers the link
 * in it is the row.
 */
export const LinkedRow = ({ className, ...props }: ComponentProps<'tr'>) => (
  <tr className={`${classes.row} ${className ?? ''}`} {...LEADS} {...props} />
);

/** Like `LinkedRow`, for a list that is no table. */
export const LinkedLine = ({ className, ...props }: ComponentProps<'div'>) => (
  <div className={`${classes.row} ${className ?? ''}`} {...LEADS} {...props} />
);

type RowLinkProps = ComponentProps<typeof Link> & { open?: () => void; isName?: boolean };

/**
 * The link of a row. `open`: what a click does in place of a navigation; another tab is left to the
 * browser. `isName`: it names its row, and is underlined where the row is pointed at.
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
  // Where the middle button scrolls, the browser would scroll in place of a click.
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

/**
 * Whether a click is for the row: not on a control in it, nor in a dialog that was opened from it
 * and lies elsewhere.
 */
function isForRow({ target, currentTarget }: MouseEvent<HTMLElement>): boolean {
  if (!(target instanceof Element) || !currentTarget.contains(target)) return false;
  const acting = target.closest(ACTS);
  return acting === null || !currentTarget.contains(acting) || acting === currentTarget;
}

/** Whether text of the row is selected: a click that ends a selection does not navigate. */
function hasSelection(row: HTMLElement): boolean {
  const selection = window.getSelection();
  return selection !== null && !selection.isCollapsed && selection.containsNode(row, true);
}
