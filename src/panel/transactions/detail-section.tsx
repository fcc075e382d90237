import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './transaction-detail.module.css';

/** A part of a transaction's detail, under its heading. */
export function DetailSection(props: { title: string; order: 2 | 3; aside?: ReactNode; children: ReactNode }) {
  return (
    <section className={classes.section}>
      <div className={classes.sectionHead}>
        <Title order={props.order} fz={15} fw={600}>
          {props.title}
        </Title>
        {props.aside}
      </div>
      {props.children}
    </section>
  );
}
