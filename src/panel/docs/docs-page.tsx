import { NextIntlClientProvider, useMessages, useTranslations } from 'next-intl';
import { Mark } from '#panel/mark.tsx';
import { ContentsAside, ContentsMenu } from './contents-menu.tsx';
import { contentsOf } from './contents-of.ts';
import classes from './docs-page.module.css';
import { Guides } from './guides.tsx';
import { OperationSection } from './operation-section.tsx';
import { reference } from './reference.ts';
import { MagicValues, Switches } from './sandbox.tsx';
import { MARKS, Prose, Section } from './section.tsx';
import { SNIPPET_LANGUAGES } from './snippets.ts';
import { Limits, States } from './states.tsx';
import { TryIt } from './try-it.tsx';
import { type TryOperation, toTryOperation } from './try-request.ts';
import { Events, Webhooks } from './webhooks.tsx';

const LANGUAGE_NAMES = { curl: 'curl', node: 'Node', python: 'Python' } as const;

/**
 * The reference of the REST API: written on the server from the OpenAPI document and the domain's
 * own tables, and readable without JavaScript. `baseUrl` is where this installation is reached.
 */
export function DocsPage({ baseUrl }: { baseUrl: string }) {
  const t = useTranslations('docs');
  const contents = contentsOf(t);
  const place = { baseUrl, apiKey: t('yourKey') };
  return (
    <ClientTexts>
      <div className={classes.page}>
        <header className={classes.bar}>
          <a className={classes.brand} href="#top">
            <Mark size={22} />
            <span>Trilho</span>
          </a>
          <ContentsMenu title={t('contents')} parts={contents} />
          <fieldset className={classes.languages}>
            <legend className="visually-hidden">{t('language')}</legend>
            {SNIPPET_LANGUAGES.map((language) => (
              <label key={language}>
                <input type="radio" name="language" value={language} defaultChecked={language === 'curl'} />
                <span>{LANGUAGE_NAMES[language]}</span>
              </label>
            ))}
          </fieldset>
        </header>
        <div className={classes.columns}>
          <ContentsAside title={t('contents')} parts={contents} />
          <main id="top" className={classes.main}>
            <h1 className={classes.title}>{t('title')}</h1>
            <p className={classes.lead}>{t.rich('lead', { ...MARKS, version: reference.version })}</p>
            <Prose id="firstSteps" values={{ base: baseUrl }} />
            <TrySection />
            <Guides />
            {reference.groups.map(({ tag, operations }) => (
              <section key={tag} className={classes.group} aria-label={t(`tags.${tag}.name`)}>
                <h2 className={classes.heading}>{t(`tags.${tag}.name`)}</h2>
                <p className={classes.groupText}>{t(`tags.${tag}.description`)}</p>
                {operations.map((operation) => (
                  <OperationSection key={operation.id} operation={operation} place={place} />
                ))}
              </section>
            ))}
            <States />
            <Limits />
            <Webhooks />
            <Events />
            <MagicValues />
            <Switches />
          </main>
        </div>
      </div>
    </ClientTexts>
  );
}

/** The texts that are needed in the browser: the page's prose is none of them. */
function ClientTexts({ children }: { children: React.ReactNode }) {
  const { copy, tryIt } = useMessages().docs;
  return <NextIntlClientProvider messages={{ docs: { copy, tryIt } }}>{children}</NextIntlClientProvider>;
}

function TrySection() {
  const t = useTranslations('docs');
  const [first, ...rest] = reference.groups.flatMap(({ operations }) =>
    operations.map((operation): TryOperation => toTryOperation(operation, t(`operations.${operation.id}.summary`))),
  );
  return (
    <Section id="tryIt" title={t('tryIt.title')}>
      <p>{t('tryIt.text')}</p>
      <noscript>
        <p>{t('tryIt.noScript')}</p>
      </noscript>
      {first && <TryIt operations={[first, ...rest]} />}
    </Section>
  );
}
