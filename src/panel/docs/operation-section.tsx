import { useTranslations } from 'next-intl';
import { CodeBlock, JsonBlock } from './code-block.tsx';
import classes from './docs-page.module.css';
import { FieldList } from './field-list.tsx';
import { fieldOf, fieldsOf } from './fields.ts';
import type { ErrorAnswer, Operation } from './reference.ts';
import { Section } from './section.tsx';
import { SNIPPET_LANGUAGES, type SnippetPlace, snippet } from './snippets.ts';

const LANGUAGE_NAMES = { curl: 'curl', node: 'Node', python: 'Python' } as const;

/** One operation: what it is and takes on one side, how it is called and answers on the other. */
export function OperationSection({ operation, place }: { operation: Operation; place: SnippetPlace }) {
  const t = useTranslations('docs');
  const texts = useTranslations(`docs.operations.${operation.id}`);
  const { id, method, path, body, answer, errors } = operation;
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
  return (
    <Section id={id} level={3} title={texts('summary')} side={side}>
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
        <a className={classes.tryLink} href="#tryIt" data-try={id}>
          {t('tryIt.open')}
        </a>
      </div>
      <p>{texts('description')}</p>
      <Parameters operation={operation} />
      {body && (
        <>
          <h4 className={classes.subheading}>{t('operation.body')}</h4>
          <FieldList fields={fieldsOf(body.schema)} kind="request" />
        </>
      )}
      <details className={classes.fold}>
        <summary>{t('operation.answerFields')}</summary>
        <FieldList fields={fieldsOf(answer.schema)} kind="answer" />
      </details>
      <details className={classes.fold}>
        <summary>
          {t('operation.errors')} <span className={classes.count}>{errors.length}</span>
        </summary>
        <ErrorList errors={errors} />
      </details>
    </Section>
  );
}

function Parameters({ operation: { parameters } }: { operation: Operation }) {
  const t = useTranslations('docs.operation');
  if (parameters.length === 0) return null;
  const places = { path: t('pathParameter'), query: t('queryParameter'), header: t('headerParameter') };
  const fields = parameters.map(({ name, in: where, required, schema, description }) => {
    return {
      ...fieldOf(name, { ...schema, ...(description && { description }) }, required ?? false),
      place: places[where],
    };
  });
  return (
    <>
      <h4 className={classes.subheading}>{t('parameters')}</h4>
      <FieldList fields={fields} kind="request" />
    </>
  );
}

/** Every error with its body, as it goes over the wire. */
function ErrorList({ errors }: { errors: ErrorAnswer[] }) {
  return (
    <ul className={classes.errors}>
      {errors.map(({ status, name, body }) => (
        <li key={`${status} ${JSON.stringify(body)}`}>
          <details>
            <summary>
              <span className={classes.errorStatus}>{status}</span> <span lang="pt-BR">{name}</span>
            </summary>
            <pre lang="pt-BR">{JSON.stringify(body, null, 2)}</pre>
          </details>
        </li>
      ))}
    </ul>
  );
}
