import '#panel/library-styles.ts';
import type { ReactNode } from 'react';
import { noteMissing } from '#panel/page-data/note-missing.ts';
import { prefetchQueries, serviceOrigin } from '#panel/page-data/prefetch-queries.ts';
import { PanelFrame } from '#panel/shell/panel-frame.tsx';
import { FrameTexts } from '#panel/texts/frame-texts.tsx';
import NotFoundPage from '../not-found.tsx';

type Props = { children: ReactNode; params: Promise<{ mode: string }> };

export default async function PanelLayout({ children, params }: Props) {
  const { mode } = await params;
  if (mode !== 'live' && mode !== 'test') {
    noteMissing();
    return <NotFoundPage />;
  }
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
