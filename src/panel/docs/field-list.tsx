import { useTranslations } from 'next-intl';
import classes from './docs-page.module.css';
import { follow, type Schema } from './reference.ts';
import { Codes } from './section.tsx';

/** `name` is the way to it: `data.customer.email`, `data[].id`; `place` where a parameter goes. */
type Field = { name: string; schema: Schema; required: boolean; place?: string };

/** Fields with their type, whether they have to be there, and what they are. */
export function FieldList({ fields, kind }: { fields: Field[]; kind: 'request' | 'answer' }) {
  const t = useTranslations('docs.operation');
  return (
    <ul className={classes.fields}>
      {fields.map(({ name, schema, required, place }) => {
        const values = valuesOf(schema.type === 'array' ? (schema.items ?? {}) : schema);
        const { types, isNullable } = typesOf(schema);
        return (
          <li key={name}>
            <p className={classes.fieldLine}>
              <code className={classes.fieldName}>{name}</code>
              <span className={classes.fieldType}>
                {[place, isNullable ? `${types} ${t('orNull')}` : types, rangeOf(schema, t)]
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

/** The fields of an object, its inner objects' after their own row. */
export function fieldsOf(object: Schema, prefix = ''): Field[] {
  const { properties = {}, required = [] } = follow(object);
  return Object.entries(properties).flatMap(([key, property]) => {
    const schema = follow(property);
    const name = prefix + key;
    const inner = schema.type === 'array' ? fieldsOf(schema.items ?? {}, `${name}[].`) : fieldsOf(schema, `${name}.`);
    return [{ name, schema, required: required.includes(key) }, ...inner];
  });
}

/** As JSON Schema calls them, with the format in a text's place: `number`, `uuid`, `date-time`. */
function typesOf(schema: Schema) {
  const all = (schema.anyOf ?? [schema]).map((alternative) => follow(alternative)).flatMap(typeNames);
  const types = new Set(all.filter((type) => type !== 'null'));
  return { types: [...types].join(' | '), isNullable: all.includes('null') };
}

function typeNames({ type = 'object', format, items }: Schema): string[] {
  return [type].flat().map((one) => {
    if (one === 'array') return `${typeNames(items ?? {}).join(' | ')}[]`;
    return one === 'string' && format ? format : one;
  });
}

const valuesOf = ({ enum: values, const: only, 'x-extensible-enum': open }: Schema): string[] =>
  (only === undefined ? (values ?? open ?? []) : [only]).map(String);

function rangeOf(schema: Schema, t: ReturnType<typeof useTranslations<'docs.operation'>>): string | null {
  const { minimum, maximum, maxLength } = schema;
  if (minimum !== undefined && maximum !== undefined) return t('range', { minimum, maximum });
  return maxLength === undefined ? null : t('upTo', { count: maxLength });
}
