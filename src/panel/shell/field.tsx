import type { ReactNode } from 'react';

/** A pair in a list of fields (fields.module.css); `wide`: where the list has room for two. */
export const Field = ({ name, wide, children }: { name: string; wide?: boolean; children: ReactNode }) => (
  <div data-wide={wide}>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);
