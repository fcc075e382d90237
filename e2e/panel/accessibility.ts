import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';
import type { AxeResults, ElementContext, RunOptions } from 'axe-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** The rules that another theme can break: it changes nothing but colours. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];
/** The rules whose violations axe calls moderate or minor: they are a tenth of its time. */
const MILD_RULES = [
  'aria-allowed-role',
  'aria-deprecated-role',
  'empty-heading',
  'empty-table-header',
  'form-field-multiple-labels',
  'heading-order',
  'html-xml-lang-mismatch',
  'image-redundant-alt',
  'landmark-banner-is-top-level',
  'landmark-contentinfo-is-top-level',
  'landmark-main-is-top-level',
  'landmark-no-duplicate-banner',
  'landmark-no-duplicate-contentinfo',
  'landmark-no-duplicate-main',
  'landmark-one-main',
  'landmark-unique',
  'meta-viewport',
  'meta-viewport-large',
  'no-autoplay-audio',
  'page-has-heading-one',
  'presentation-role-conflict',
  'region',
  'scope-attr-valid',
  'server-side-image-map',
  'skip-link',
  'table-duplicate-name',
];

/**
 * Returns the serious and critical violations that axe finds on a page as it is now, one line each:
 * the rule, its message, where. `only: 'colours'` is for a page that was checked completely in
 * another theme, 'structure' for all the other rules; `except` is a selector of parts to leave out.
 * Our pages have no frames.
 */
export async function seriousViolations(
  page: Page,
  { only, except }: { only?: 'colours' | 'structure'; except?: string } = {},
): Promise<string[]> {
  // After a navigation by a link the title is written a moment after the page.
  await expect(page).not.toHaveTitle('');
  // A page keeps axe until it is left: it is half a megabyte to parse.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  await transitionsEnd(page);
  const options: RunOptions = {
    resultTypes: ['violations'],
    // Preloading fetches every style sheet again, for a rule that is off and for one about audio.
    preload: false,
    ...(only === 'colours'
      ? { runOnly: { type: 'rule', values: COLOUR_RULES } }
      : { rules: without([...MILD_RULES, ...(only === 'structure' ? COLOUR_RULES : [])]) }),
  };
  const { violations } = await page.evaluate(
    ([context, run]) =>
      (window as unknown as { axe: { run(c: ElementContext, o: RunOptions): Promise<AxeResults> } }).axe.run(
        context,
        run,
      ),
    [{ exclude: except ? [except] : [] }, options] as const,
  );
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, help, nodes }) => `${id}: ${help} (${nodes.map(({ target }) => target.join(' ')).join(', ')})`);
}

const without = (rules: readonly string[]): NonNullable<RunOptions['rules']> =>
  Object.fromEntries(rules.map((rule) => [rule, { enabled: false }]));

/** Waits until transitions have ended: a colour in the middle of one is not what people read. */
const transitionsEnd = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const transitions = document.getAnimations().filter((one) => one instanceof CSSTransition);
    await Promise.allSettled(transitions.map(({ finished }) => finished));
  });
