import type { ReactNode } from 'react';

/**
 * A name and its value in a list of fields (fields.module.css). `wide`: it takes both columns where
 * the list has two.
 */
export const Field = ({ name, wide, children }: { name: string; wide?: boolean; children: ReactNode }) => (
  <div data-wide={wide}>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);
