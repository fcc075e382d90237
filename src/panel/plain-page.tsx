import type { ReactNode } from 'react';
import { Mark } from './mark.tsx';
import classes from './plain-page.module.css';

/** A page that has one thing to say. */
export function PlainPage(props: { title: string; text: string; children?: ReactNode }) {
  return (
    <main className={classes.page}>
      <Mark size={44} />
      <h1 className={classes.title}>{props.title}</h1>
      <p className={classes.text}>{props.text}</p>
      {props.children}
    </main>
  );
}
