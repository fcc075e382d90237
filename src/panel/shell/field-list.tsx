import type { ReactNode } from 'react';
import { Field } from './field.tsx';
import classes from './fields.module.css';
import { Muted } from './muted.tsx';

type Entry = readonly [name: string, value: ReactNode, width?: 'wide'];

type Props = {
  fields: readonly (Entry | '' | false | null | undefined)[];
  /** Shown where no field has a value. */
  none?: string;
  /** The width of the names, in pixels. */
  width?: number;
  /** On a phone a name stands above its value. */
  folds?: boolean;
  /** For a page that lays its fields out in a way of its own. */
  className?: string | undefined;
};

/** Names and values; what has no value is left out. */
export function FieldList({ fields, none, width = 140, folds = false, className = '' }: Props) {
  const known = fields
    .filter((field) => !!field)
    .filter(([, value]) => value !== null && value !== undefined && value !== '' && value !== false);
  if (known.length === 0) return none && <Muted>{none}</Muted>;
  return (
    <dl
      className={`${classes.fields} ${classes.baseline} ${folds ? classes.folds : ''} ${className}`}
      style={{ '--field-name': `${width}px` } as React.CSSProperties}
    >
      {known.map(([name, value, span]) => (
        <Field key={name} name={name} {...(span && { wide: true })}>
          {value}
        </Field>
      ))}
    </dl>
  );
}
