import { Accordion, Title } from '@mantine/core';
import { type ReactNode, Suspense } from 'react';
import { Skeleton } from '#panel/skeleton.tsx';
import classes from './transaction-detail.module.css';

/** The heading level of a detail's sections: 2 on a page of its own, 3 beside a list. */
export type Order = 2 | 3;

/** A part of a transaction's detail, under its heading. */
export const DetailSection = ({ title, order, children }: { title: string; order: Order; children: ReactNode }) => (
  <section className={classes.section}>
    <Title order={order} fz={15} fw={600} mb={10}>
      {title}
    </Title>
    {children}
  </section>
);

/** `name`: stays the part's own while its title counts on, and has no space: it is part of ids. */
type FoldedProps = { order: Order; parts: readonly { name: string; title: string; content: ReactNode }[] };

/** Parts behind a section, each loaded when it is opened. */
export const Folded = ({ order, parts }: FoldedProps) => (
  <Accordion multiple order={order === 2 ? 3 : 4} classNames={{ root: classes.folded ?? '' }} keepMounted={false}>
    {parts.map(({ name, title, content }) => (
      <Accordion.Item key={name} value={name}>
        <Accordion.Control>{title}</Accordion.Control>
        <Accordion.Panel>
          <Suspense fallback={<Skeleton height={40} />}>{content}</Suspense>
        </Accordion.Panel>
      </Accordion.Item>
    ))}
  </Accordion>
);
