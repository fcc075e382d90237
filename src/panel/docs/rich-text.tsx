import type { ReactNode } from 'react';

/** The marks that the messages of the reference use: code, and what stands out. */
export const RICH = {
  c: (text: ReactNode) => <code>{text}</code>,
  b: (text: ReactNode) => <strong>{text}</strong>,
};

/** The same with a link: `link('#sandbox')` in the place of a tag of the message. */
export const link = (href: string) => (text: ReactNode) => <a href={href}>{text}</a>;
