import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './transaction-detail.module.css';

/** Names and values; what has no value is left out. `none`: said where nothing is left. */
export function Facts({ facts, none }: { facts: readonly (readonly [string, ReactNode])[]; none: string }) {
  const known = facts.filter(([, value]) => value !== null && value !== undefined && value !== '' && value !== false);
  if (known.length === 0) {
    return (
      <Text fz="sm" c="var(--ink-muted)">
        {none}
      </Text>
    );
  }
  return (
    <dl className={classes.facts}>
      {known.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
