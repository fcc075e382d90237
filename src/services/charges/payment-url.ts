import type { Deps } from '../deps.ts';

/** The address of the page on which a charge or an invoice is paid; whoever has it may pay. */
export const paymentUrl = ({ settings }: Pick<Deps, 'settings'>, id: string): string =>
  `${settings.publicUrl}/pay/${id}`;

/** The addresses of its QR code as a picture: answered while it can be paid. */
export const qrCodeUrls = (deps: Pick<Deps, 'settings'>, id: string): { svg: string; png: string } => ({
  svg: `${paymentUrl(deps, id)}/qr.svg`,
  png: `${paymentUrl(deps, id)}/qr.png`,
});
