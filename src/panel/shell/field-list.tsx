import type { ReactNode } from 'react';
import { Field } from './field.tsx';
import classes from './fields.module.css';
import { Muted } from './muted.tsx';

type Props = {
  fields: readonly (readonly [name: string, value: ReactNode])[];
  /** Said where nothing is left. */
  none?: string;
  /** Of the names, in pixels. */
  width?: number;
  /** On a phone a name stands above its value. */
  folds?: boolean;
};

/** Names and values; what has no value is left out. */
export function FieldList({ fields, none, width = 140, folds = false }: Props) {
  const known = fields.filter(([, value]) => value !== null && value !== undefined && value !== '' && value !== false);
  if (known.length === 0) return none && <Muted>{none}</Muted>;
  return (
    <dl
      className={`${classes.fields} ${classes.baseline} ${folds ? classes.folds : ''}`}
      style={{ '--field-name': `${width}px` } as React.CSSProperties}
    >
      {known.map(([name, value]) => (
        <Field key={name} name={name}>
          {value}
        </Field>
      ))}
    </dl>
  );
}
