import { sealContext } from '#db/encryption/sealed-columns.ts';
import type { SecretBox } from '#domain/encryption/secret-box.ts';

/** The params that are instants, by name: JSON has no type for them. */
const INSTANTS: ReadonlySet<string> = new Set(['at', 'from', 'answerBy', 'decideBy', 'endsAt', 'startsAt']);

/** Seals the params of a notice: names and addresses of people may be among them. */
export const sealParams = (secretBox: SecretBox, id: string, params: object): string =>
  secretBox.seal(JSON.stringify(params), sealContext('notices.params', { id }));

/** The params as they were given to sealParams, with their instants. */
export const openParams = (secretBox: SecretBox, { id, params }: { id: string; params: string }): object =>
  JSON.parse(secretBox.open(params, sealContext('notices.params', { id })), (name, value) =>
    INSTANTS.has(name) && typeof value === 'string' ? new Date(value) : value,
  );
