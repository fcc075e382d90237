import { useTranslations } from 'next-intl';
import { CodeBlock, JsonBlock } from './code-block.tsx';
import { codesByStatus } from './codes-by-status.ts';
import classes from './docs-page.module.css';
import { FieldList } from './field-list.tsx';
import { fieldsOf, isOwnField } from './fields.ts';
import type { Operation } from './reference.ts';
import { Codes, Section } from './section.tsx';
import { sinceOf } from './since-of.ts';
import { LANGUAGE_NAMES, SNIPPET_LANGUAGES, type SnippetPlace, snippet } from './snippets.ts';

/**
 * One operation: its description and fields on one side, examples of its request and answer on the
 * other.
 */
export function OperationSection({ operation, place }: { operation: Operation; place: SnippetPlace }) {
  const t = useTranslations('docs');
  const { id, method, path, permission, parameters, body, answer, errors } = operation;
  const side = (
    <>
      {SNIPPET_LANGUAGES.map((language) => (
        <CodeBlock
          key={language}
          language={language}
          title={`${t('operation.request')} · ${LANGUAGE_NAMES[language]}`}
          code={snippet(language, operation, place)}
        />
      ))}
      <JsonBlock title={`${t('operation.answer')} · ${answer.status}`} value={answer.example} />
    </>
  );
  const parameterFields = parameters.map(({ name, in: where, required = false, schema, description }) => ({
    name,
    schema: { ...schema, ...(description && { description }) },
    required,
    place: t(`operation.${where}Parameter`),
  }));
  return (
    <Section id={id} level={3} title={t(`operations.${id}.summary`)} side={side}>
      <div className={classes.endpoint}>
        <p>
          <span className={classes.method} data-method={method}>
            {method}
          </span>
          <code>{path}</code>
        </p>
        <p className={classes.otherPath}>
          <code>/api{path}</code>
        </p>
        <p className={classes.otherPath}>
          <a href="#permissions">{t('operation.permission')}</a>:{' '}
          {permission ? <code>{permission}</code> : t('operation.anyKey')} · {t('changes.since')} {sinceOf(id)}
        </p>
        <a className={classes.tryLink} href="#tryIt" data-try={id}>
          {t('tryIt.open')}
        </a>
      </div>
      <p>{t(`operations.${id}.description`)}</p>
      {parameters.length > 0 && (
        <>
          <h4 className={classes.subheading}>{t('operation.parameters')}</h4>
          <FieldList fields={parameterFields} kind="request" />
        </>
      )}
      {body && (
        <>
          <h4 className={classes.subheading}>{t('operation.body')}</h4>
          <FieldList fields={fieldsOf(body.schema)} kind="request" />
        </>
      )}
      <details className={classes.fold}>
        <summary>{t('operation.answerFields')}</summary>
        <FieldList fields={fieldsOf(answer.schema).filter(isOwnField)} kind="answer" />
      </details>
      <details className={classes.fold}>
        <summary>
          {t('operation.errors')}{' '}
          <span className={classes.count}>{new Set(errors.map(({ body }) => body.code)).size}</span>
        </summary>
        <ul className={`plain-list ${classes.errors}`}>
          {[...codesByStatus(errors)].map(([status, codes]) => (
            <li key={status}>
              <span className={classes.errorStatus}>{status}</span> <Codes texts={codes} />
            </li>
          ))}
        </ul>
        <p className={classes.errorsHint}>
          <a href="#errorCodes">{t('operation.errorsHint')}</a>
        </p>
      </details>
    </Section>
  );
}
