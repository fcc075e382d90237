import { useTranslations } from 'next-intl';
import classes from './docs-page.module.css';
import { type Field, rangeOf, typesOf, valuesOf } from './fields.ts';
import { Codes } from './section.tsx';

/** Fields with their type, whether they have to be there, and what they are. */
export function FieldList({ fields, kind }: { fields: Field[]; kind: 'request' | 'answer' }) {
  const t = useTranslations('docs.operation');
  return (
    <ul className={classes.fields}>
      {fields.map(({ name, schema, required, place }) => {
        const values = valuesOf(schema.type === 'array' ? (schema.items ?? {}) : schema);
        const { types, isNullable } = typesOf(schema);
        const range = rangeOf(schema);
        return (
          <li key={name}>
            <p className={classes.fieldLine}>
              <code className={classes.fieldName}>{name}</code>
              <span className={classes.fieldType}>
                {[place, isNullable ? `${types} ${t('orNull')}` : types, range && t(range.text, range.values)]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
              {kind === 'request' && required && <span className={classes.required}>{t('required')}</span>}
              {!required && <span className={classes.fieldType}>{t('optional')}</span>}
            </p>
            {schema.description && <p className={classes.fieldText}>{schema.description}</p>}
            {values.length > 1 && (
              <p className={classes.fieldText}>
                {t('values')}: <Codes texts={values} />
              </p>
            )}
          </li>
        );
      })}
    </ul>
  );
}
