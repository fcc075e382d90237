import type { ReactNode } from 'react';

/** A pair in a list of facts (facts.module.css). */
export const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);
