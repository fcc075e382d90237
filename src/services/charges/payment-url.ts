import type { Deps } from '../deps.ts';

/** The URL of the page on which a charge or an invoice is paid; anyone who has it may pay. */
export const paymentUrl = ({ settings }: Pick<Deps, 'settings'>, id: string): string =>
  `${settings.publicUrl}/pay/${id}`;

/** The URLs of its QR code as a picture, which is served only while it can be paid. */
export const qrCodeUrls = (deps: Pick<Deps, 'settings'>, id: string): { svg: string; png: string } => ({
  svg: `${paymentUrl(deps, id)}/qr.svg`,
  png: `${paymentUrl(deps, id)}/qr.png`,
});
