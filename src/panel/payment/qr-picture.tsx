import { createContext, type ReactNode, Suspense, useContext } from 'react';
import { lazyPart } from '#panel/connection/lazy-part.ts';
import { Skeleton } from '#panel/skeleton.tsx';
import classes from './payment-page.module.css';

/**
 * Loaded only for a code that was not there when the page was made: drawing is half the page's
 * code.
 */
const QrDrawing = lazyPart(() => import('./qr-drawing.tsx'), 'QrDrawing');

/** A QR code that the server drew; `null`: it drew none. */
export const DrawnQr = createContext<{ text: string; picture: ReactNode } | null>(null);

/** The QR code of `text`; a placeholder while it is null. `label` is for those who can't see it. */
export function QrPicture({ text, label }: { text: string | null; label: string }) {
  const drawn = useContext(DrawnQr);
  const coming = <Skeleton className={classes.qrSkeleton} />;
  if (text === null) return <div className={classes.qr}>{coming}</div>;
  return (
    <div className={classes.qr} role="img" aria-label={label}>
      {drawn?.text === text ? (
        drawn.picture
      ) : (
        <Suspense fallback={coming}>
          <QrDrawing text={text} />
        </Suspense>
      )}
    </div>
  );
}
