import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';
import type { AxeResults, RunOptions } from 'axe-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** A theme changes nothing but the colours of a page that was checked in the other theme. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/**
 * What axe finds on a page as it stands now that is serious or critical, one line each: the rule,
 * what it says, where. `only: 'colours'` for a page that was checked whole in another theme. Our
 * pages hold no frames.
 */
export async function seriousViolations(page: Page, { only }: { only?: 'colours' } = {}): Promise<string[]> {
  // Of a page that was reached by a link it is written a moment after the page.
  await expect(page).not.toHaveTitle('');
  // A page keeps it until it is left: it is half a megabyte to read.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  await transitionsEnd(page);
  const options: RunOptions = {
    resultTypes: ['violations'],
    // It fetches every style sheet again: for a rule that is off, and for one about audio.
    preload: false,
    ...(only && { runOnly: { type: 'rule', values: COLOUR_RULES } }),
  };
  const { violations } = await page.evaluate(
    (run) => (window as unknown as { axe: { run(o: RunOptions): Promise<AxeResults> } }).axe.run(run),
    options,
  );
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, help, nodes }) => `${id}: ${help} (${nodes.map(({ target }) => target.join(' ')).join(', ')})`);
}

/** A colour on its way to another is not what people read. */
const transitionsEnd = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const transitions = document.getAnimations().filter((one) => one instanceof CSSTransition);
    await Promise.allSettled(transitions.map(({ finished }) => finished));
  });
