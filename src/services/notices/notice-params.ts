import { sealContext } from '#db/encryption/sealed-columns.ts';
import type { SecretBox } from '#domain/encryption/secret-box.ts';

/** What is an instant, by its name: JSON has none. */
const INSTANTS: ReadonlySet<string> = new Set(['at', 'from', 'answerBy', 'decideBy', 'endsAt', 'startsAt']);

/** What a notice names, as it is kept: names and addresses of people may be among it. */
export const sealParams = (secretBox: SecretBox, id: string, params: object): string =>
  secretBox.seal(JSON.stringify(params), sealContext('notices.params', { id }));

/** The same as it was given. */
export const openParams = (secretBox: SecretBox, { id, params }: { id: string; params: string }): object =>
  JSON.parse(secretBox.open(params, sealContext('notices.params', { id })), (name, value) =>
    INSTANTS.has(name) && typeof value === 'string' ? new Date(value) : value,
  );
