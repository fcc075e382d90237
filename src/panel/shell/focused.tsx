import { type ComponentProps, useEffect, useRef } from 'react';
import classes from './focused.module.css';

/**
 * Takes the focus when it is shown in place of the form that had it, so that a screen reader says
 * it and the keyboard continues there.
 */
export function Focused(props: ComponentProps<'div'>) {
  const shown = useRef<HTMLDivElement>(null);
  useEffect(() => shown.current?.focus(), []);
  return <div {...props} ref={shown} tabIndex={-1} className={classes.focused} />;
}
