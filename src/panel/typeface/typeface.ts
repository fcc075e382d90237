import localFont from 'next/font/local';

/**
 * The one typeface, served from here and asked for by the page's head. Until it is there the text stands in Arial, scaled to the same
 * width, so that nothing moves when it comes.
 */
export const typeface = localFont({
  src: './archivo-latin.woff2',
  variable: '--typeface',
  weight: '400 700',
  declarations: [{ prop: 'font-stretch', value: '100% 112%' }],
  display: 'swap',
  adjustFontFallback: 'Arial',
});
