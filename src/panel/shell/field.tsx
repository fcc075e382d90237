import type { ReactNode } from 'react';

/** A pair in a list of fields (fields.module.css). */
export const Field = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);
