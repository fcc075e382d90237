import { QRCodeSVG } from 'qrcode.react';
import classes from './payment-page.module.css';

/** ISO/IEC 18004 asks for four modules of white around the symbol. */
const QUIET_ZONE_MODULES = 4;

/** The QR code of a text as SVG, dark on white in both themes: scanners expect it. */
export function QrDrawing({ text }: { text: string }) {
  return (
    <QRCodeSVG
      aria-hidden="true"
      value={text}
      level="M"
      marginSize={QUIET_ZONE_MODULES}
      fgColor="#000000"
      bgColor="#ffffff"
      className={classes.qrPicture}
    />
  );
}
