import { QRCodeSVG } from 'qrcode.react';
import { Skeleton } from '#panel/skeleton.tsx';
import classes from './payment-page.module.css';

/** ISO/IEC 18004 asks for four modules of white around the symbol. */
const QUIET_ZONE_MODULES = 4;

/** The QR code of `text`; null: it is on its way. `label` is for those who can't see it. */
export function QrPicture({ text, label }: { text: string | null; label: string }) {
  return (
    <div className={classes.qr}>
      {text === null ? (
        <Skeleton className={classes.qrSkeleton} />
      ) : (
        // Dark on white in both themes: scanners expect it.
        <QRCodeSVG
          value={text}
          title={label}
          level="M"
          marginSize={QUIET_ZONE_MODULES}
          fgColor="#000000"
          bgColor="#ffffff"
          className={classes.qrPicture}
        />
      )}
    </div>
  );
}
