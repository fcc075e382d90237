import type { ComponentProps } from 'react';
import classes from './action-button.module.css';

/**
 * The button of the payer's pages, in Mantine's colours but without its component: that would be 20
 * kB of JavaScript on a phone in a shop.
 */
export function ActionButton({ quiet = false, ...props }: ComponentProps<'button'> & { quiet?: boolean }) {
  return <button type="button" {...props} className={classes.button} data-quiet={quiet} />;
}
