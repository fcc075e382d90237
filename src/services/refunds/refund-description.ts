import { sealContext } from '#db/encryption/sealed-columns.ts';
import type { Deps } from '../deps.ts';

type Described = { id: string; description: string | null };

/** Why money is given back, as it is kept. */
export const sealRefundDescription = ({ secretBox }: Pick<Deps, 'secretBox'>, { id, description }: Described) =>
  description === null ? null : secretBox.seal(description, sealContext('refunds.description', { id }));

export const openRefundDescription = ({ secretBox }: Pick<Deps, 'secretBox'>, { id, description }: Described) =>
  description === null ? null : secretBox.open(description, sealContext('refunds.description', { id }));
