import type { Deps } from '../deps.ts';

/** The address of the page on which a charge or an invoice is paid; whoever has it may pay. */
export const paymentUrl = ({ settings }: Pick<Deps, 'settings'>, id: string): string =>
  `${settings.publicUrl}/pay/${id}`;
