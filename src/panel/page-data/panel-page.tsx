import { getMessages } from 'next-intl/server';
import type { ComponentType, ReactNode } from 'react';
import { AddedTexts } from '#panel/texts/added-texts.tsx';
import { pickTexts } from '#panel/texts/pick-texts.ts';
import { PAGE_SECTIONS, type PageName } from '#panel/texts/sections.ts';
import { HydrateQueries } from './hydrate-queries.tsx';
import { prefetchQueries, type QueryToPrefetch } from './prefetch-queries.ts';

type Props = { page: PageName; reads: readonly QueryToPrefetch[]; children: ReactNode };

/**
 * A page of the panel with its texts, beside the frame's, and its first data. `reads` are the
 * queries that the server reads while the page is made, so that it is painted whole at once. The
 * page requests by itself what is not there in time.
 */
export async function PanelPage({ page, reads, children }: Props) {
  const [messages, data] = await Promise.all([getMessages(), prefetchQueries(reads)]);
  return (
    <AddedTexts texts={pickTexts(messages, PAGE_SECTIONS[page])}>
      <HydrateQueries data={data}>{children}</HydrateQueries>
    </AddedTexts>
  );
}

/** For `export default`: `Content` as a `PanelPage`. `id` is the one in the address, if any. */
export const panelPage = (
  page: PageName,
  Content: ComponentType<{ id: string }>,
  readsOf: (id: string) => readonly QueryToPrefetch[] = () => [],
) =>
  async function Page({ params }: { params: Promise<{ id?: string }> }) {
    const { id = '' } = await params;
    return (
      <PanelPage page={page} reads={readsOf(id)}>
        <Content id={id} />
      </PanelPage>
    );
  };
