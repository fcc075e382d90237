import { useTranslations } from 'next-intl';
import classes from './docs-page.module.css';
import type { Field } from './fields.ts';
import { Codes } from './section.tsx';

/** Fields with their type, whether they have to be there, and what they are. */
export function FieldList({ fields, kind }: { fields: (Field & { place?: string })[]; kind: 'request' | 'answer' }) {
  const t = useTranslations('docs.operation');
  return (
    <ul className={classes.fields}>
      {fields.map((field) => (
        <li key={field.name}>
          <p className={classes.fieldLine}>
            <code className={classes.fieldName}>{field.name}</code>
            <span className={classes.fieldType}>
              {[field.place, field.nullable ? `${field.type} ${t('orNull')}` : field.type, rangeOf(field, t)]
                .filter(Boolean)
                .join(' · ')}
            </span>
            {kind === 'request' && field.required && <span className={classes.required}>{t('required')}</span>}
            {!field.required && <span className={classes.fieldType}>{t('optional')}</span>}
          </p>
          {field.description && <p className={classes.fieldText}>{field.description}</p>}
          {field.values.length > 1 && (
            <p className={classes.fieldText}>
              {t('values')}: <Codes texts={field.values} />
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}

function rangeOf({ range }: Field, t: ReturnType<typeof useTranslations<'docs.operation'>>): string | null {
  const { minimum, maximum, lengthMax } = range;
  if (minimum !== undefined && maximum !== undefined) return t('range', { minimum, maximum });
  return lengthMax === undefined ? null : t('upTo', { count: lengthMax });
}
