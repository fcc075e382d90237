import { NextIntlClientProvider, useMessages, useTranslations } from 'next-intl';
import { Mark } from '#panel/mark.tsx';
import { ContentsAside, ContentsMenu, type ContentsPart } from './contents-menu.tsx';
import classes from './docs-page.module.css';
import { Guides } from './guides.tsx';
import { OperationSection } from './operation-section.tsx';
import { Recipes } from './recipes.tsx';
import { reference } from './reference.ts';
import { Developing, MagicValues, Switches } from './sandbox.tsx';
import { MARKS, Prose, Section } from './section.tsx';
import { SECTIONS } from './sections.ts';
import { LANGUAGE_NAMES, SNIPPET_LANGUAGES } from './snippets.ts';
import { Limits, States } from './states.tsx';
import { TryIt } from './try-it.tsx';
import { toTryOperation } from './try-request.ts';
import { Events, Webhooks } from './webhooks.tsx';

/**
 * The reference of the REST API: rendered on the server from the OpenAPI document and the domain's
 * own tables, and readable without JavaScript. `baseUrl` is where this installation is reached.
 */
export function DocsPage({ baseUrl }: { baseUrl: string }) {
  const t = useTranslations('docs');
  // Only these texts are needed in the browser; the page's prose is not.
  const { copy, tryIt } = useMessages().docs;
  const contents = contentsOf(t);
  const tried = reference.operations.map((operation) =>
    toTryOperation(operation, t(`operations.${operation.id}.summary`)),
  );
  const place = { baseUrl, apiKey: t('yourKey') };
  return (
    <NextIntlClientProvider messages={{ docs: { copy, tryIt } }}>
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
            <Section id="tryIt" title={t('tryIt.title')}>
              <p>{t('tryIt.text')}</p>
              <noscript>
                <p>{t('tryIt.noScript')}</p>
              </noscript>
              <TryIt operations={tried} />
            </Section>
            <Guides />
            <Recipes />
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
            <Prose id="splits" />
            <Limits />
            <Prose id="assistants" values={{ base: baseUrl }} />
            <Webhooks />
            <Events />
            <MagicValues />
            <Developing />
            <Switches />
          </main>
        </div>
      </div>
    </NextIntlClientProvider>
  );
}

/** The contents of the page, in its order. */
function contentsOf(t: ReturnType<typeof useTranslations<'docs'>>): ContentsPart[] {
  const part = (name: keyof typeof SECTIONS): ContentsPart => ({
    title: t(`parts.${name}`),
    entries: SECTIONS[name].map((id) => ({ id, title: t(`${id}.title`) })),
  });
  const operations = reference.groups.map(
    ({ tag, operations }): ContentsPart => ({
      title: t(`tags.${tag}.name`),
      entries: operations.map(({ id }) => ({ id, title: t(`operations.${id}.summary`) })),
    }),
  );
  return [part('start'), part('recipes'), ...operations, part('concepts'), part('webhooks'), part('sandbox')];
}
