import type { ReactNode } from 'react';
import { Field } from '#panel/shell/field.tsx';
import list from '#panel/shell/fields.module.css';
import { Muted } from '#panel/shell/muted.tsx';
import classes from './transaction-detail.module.css';

/** Names and values; what has no value is left out. `none`: said where nothing is left. */
export function FieldList({ fields, none }: { fields: readonly (readonly [string, ReactNode])[]; none: string }) {
  const known = fields.filter(([, value]) => value !== null && value !== undefined && value !== '' && value !== false);
  if (known.length === 0) {
    return <Muted>{none}</Muted>;
  }
  return (
    <dl className={`${list.fields} ${list.folds} ${classes.fields}`}>
      {known.map(([name, value]) => (
        <Field key={name} name={name}>
          {value}
        </Field>
      ))}
    </dl>
  );
}
