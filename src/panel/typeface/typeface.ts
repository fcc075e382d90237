import localFont from 'next/font/local';

/**
 * The only typeface, served from here and requested by the page's head; the browser waits a moment
 * for it. Where it comes later the page stays as it was painted, in Arial of the same width or in
 * another fallback, so that nothing moves; the next page has it from the cache.
 */
export const typeface = localFont({
  src: './archivo-latin.woff2',
  variable: '--typeface',
  weight: '400 700',
  declarations: [{ prop: 'font-stretch', value: '100% 112%' }],
  display: 'optional',
  adjustFontFallback: 'Arial',
});
