import type { ReactNode } from 'react';

/** A pair in a list of fields (fields.module.css); `wide`: as wide as the list, where that says so. */
export const Field = ({ name, wide, children }: { name: string; wide?: boolean; children: ReactNode }) => (
  <div data-wide={wide}>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);
