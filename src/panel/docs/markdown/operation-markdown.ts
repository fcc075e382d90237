import { codesByStatus } from '../codes-by-status.ts';
import { type Field, fieldsOf, isOwnField, rangeOf, typesOf, valuesOf } from '../fields.ts';
import type { Operation } from '../reference.ts';
import { sinceOf } from '../since-of.ts';
import { snippet } from '../snippets.ts';
import type { Texts } from '../tables/table.ts';
import { codeBlock, jsonBlock, list } from './markdown.ts';

/** Everything that the page says of an operation. */
export function operationMarkdown(t: Texts, operation: Operation, base: string): string {
  const { id, method, path, permission, parameters, body, answer, errors } = operation;
  const part = (title: string, text: string) => (text === '' ? [] : [`### ${title}`, text]);
  const parameterFields = parameters.map(({ name, in: where, required = false, schema, description }) => ({
    name,
    schema: { ...schema, ...(description && { description }) },
    required,
    place: t(`docs.operation.${where}Parameter`),
  }));
  return [
    codeBlock('http', `${method} ${path}`),
    t(`docs.operations.${id}.description`),
    list([
      `${t('docs.operation.permission')}: ${permission ? `\`${permission}\`` : t('docs.operation.anyKey')}`,
      `${t('docs.changes.since')}: ${sinceOf(id)}`,
    ]),
    ...part(t('docs.operation.parameters'), fieldLines(t, parameterFields)),
    ...part(t('docs.operation.body'), body ? fieldLines(t, fieldsOf(body.schema)) : ''),
    ...part(
      t('docs.operation.request'),
      codeBlock('sh', snippet('curl', operation, { baseUrl: base, apiKey: t('docs.yourKey') })),
    ),
    ...part(`${t('docs.operation.answer')} · ${answer.status}`, jsonBlock(answer.example)),
    ...part(t('docs.operation.answerFields'), fieldLines(t, fieldsOf(answer.schema).filter(isOwnField))),
    ...part(
      t('docs.operation.errors'),
      list(
        [...codesByStatus(errors)].map(
          ([status, codes]) => `${status}: ${codes.map((code) => `\`${code}\``).join(', ')}`,
        ),
      ),
    ),
  ].join('\n\n');
}

const fieldLines = (t: Texts, fields: readonly Field[]): string => list(fields.map((field) => fieldLine(t, field)));

function fieldLine(t: Texts, { name, schema, required, place }: Field): string {
  const values = valuesOf(schema.type === 'array' ? (schema.items ?? {}) : schema);
  const { types, isNullable } = typesOf(schema);
  const range = rangeOf(schema);
  const about = [
    place,
    isNullable ? `${types} ${t('docs.operation.orNull')}` : types,
    range && t(`docs.operation.${range.text}`, range.values),
    t(required ? 'docs.operation.required' : 'docs.operation.optional'),
  ].filter(Boolean);
  const says = schema.description ? `: ${schema.description}` : '';
  const choice =
    values.length > 1 ? ` ${t('docs.operation.values')}: ${values.map((one) => `\`${one}\``).join(', ')}` : '';
  return `\`${name}\` (${about.join(', ')})${says}${choice}`;
}
