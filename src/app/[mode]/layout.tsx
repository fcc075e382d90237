import '#panel/library-styles.ts';
import { notFound } from 'next/navigation';
import type { ReactNode } from 'react';
import { prefetchQueries, serviceOrigin } from '#panel/page-data/prefetch-queries.ts';
import { PanelFrame } from '#panel/shell/panel-frame.tsx';
import { FrameTexts } from '#panel/texts/frame-texts.tsx';

type Props = { children: ReactNode; params: Promise<{ mode: string }> };

export default async function PanelLayout({ children, params }: Props) {
  const { mode } = await params;
  if (mode !== 'live' && mode !== 'test') notFound();
  return (
    <FrameTexts>
      <PanelFrame
        mode={mode}
        origin={serviceOrigin()}
        data={await prefetchQueries([{ query: 'session.me' }, { query: 'firstSteps.get' }])}
      >
        {children}
      </PanelFrame>
    </FrameTexts>
  );
}
