import { useTranslations } from 'next-intl';
import { CodeBlock, JsonBlock } from './code-block.tsx';
import classes from './docs-page.module.css';
import { FieldList, fieldsOf } from './field-list.tsx';
import type { Operation } from './reference.ts';
import { Section } from './section.tsx';
import { LANGUAGE_NAMES, SNIPPET_LANGUAGES, type SnippetPlace, snippet } from './snippets.ts';

/** What is in a warning is the same everywhere, and in a section of its own. */
const isOwn = ({ name }: { name: string }) => !name.startsWith('warnings[]');

/** One operation: what it is and takes on one side, how it is called and answers on the other. */
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
          {permission ? <code>{permission}</code> : t('operation.anyKey')}
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
        <FieldList fields={fieldsOf(answer.schema).filter(isOwn)} kind="answer" />
      </details>
      <details className={classes.fold}>
        <summary>
          {t('operation.errors')} <span className={classes.count}>{errors.length}</span>
        </summary>
        <ul className={classes.errors}>
          {errors.map((error) => (
            <li key={`${error.status} ${JSON.stringify(error.body)}`}>
              <details>
                <summary>
                  <span className={classes.errorStatus}>{error.status}</span> <code>{error.body.code}</code>{' '}
                  <span lang="pt-BR">{error.name}</span>
                </summary>
                <pre lang="pt-BR">{JSON.stringify(error.body, null, 2)}</pre>
              </details>
            </li>
          ))}
        </ul>
      </details>
    </Section>
  );
}
