import type { ReactNode } from 'react';
import { PageTexts } from '#panel/texts/page-texts.tsx';
import type { PageName } from '#panel/texts/sections.ts';
import { PrefetchQueries, type QueryToPrefetch } from './prefetch-queries.tsx';

/** A page of the panel: its texts, and what it shows first. */
export const PanelPage = (props: { page: PageName; reads?: readonly QueryToPrefetch[]; children: ReactNode }) => (
  <PageTexts page={props.page}>
    <PrefetchQueries reads={props.reads ?? []}>{props.children}</PrefetchQueries>
  </PageTexts>
);
