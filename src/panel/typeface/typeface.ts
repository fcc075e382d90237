import localFont from 'next/font/local';

/**
 * The one typeface, served from here and asked for by the page's head, for which the browser waits
 * a moment. Where it comes later the page stays as it was painted, in Arial of the same width or in
 * what there is instead, which has another: nothing moves. It is kept, and the next page has it.
 */
export const typeface = localFont({
  src: './archivo-latin.woff2',
  variable: '--typeface',
  weight: '400 700',
  declarations: [{ prop: 'font-stretch', value: '100% 112%' }],
  display: 'optional',
  adjustFontFallback: 'Arial',
});
