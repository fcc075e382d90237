import { useTranslations } from 'next-intl';
import recipes from '#public/recipes.json' with { type: 'json' };
import { CodeBlock } from './code-block.tsx';
import classes from './docs-page.module.css';
import { RECIPE_NAMES } from './recipe-names.ts';
import { Prose } from './section.tsx';

/** Whole programs for what merchants build; a test runs the same files. */
export function Recipes() {
  const t = useTranslations('docs');
  return (
    <section className={classes.group} aria-label={t('parts.recipes')}>
      <h2 className={classes.heading}>{t('parts.recipes')}</h2>
      <p className={classes.groupText}>{t('recipes.text')}</p>
      {RECIPE_NAMES.map((name) => {
        const { file, code } = recipes[name];
        const program = <CodeBlock title={file} code={code} />;
        return <Prose key={name} id={name} level={3} parts={{ program }} />;
      })}
    </section>
  );
}
