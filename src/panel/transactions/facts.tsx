import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Fact } from '#panel/shell/fact.tsx';
import list from '#panel/shell/facts.module.css';
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
    <dl className={`${list.facts} ${list.folds} ${classes.facts}`}>
      {known.map(([name, value]) => (
        <Fact key={name} name={name}>
          {value}
        </Fact>
      ))}
    </dl>
  );
}
