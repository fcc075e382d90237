import { proofFileInput } from '#contract/ledger/proof-output.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { messages } from '#messages/messages.ts';
import { openProof } from '#services/ledger/open-proof.ts';
import { fileName, type OpenExport } from './export-file.ts';

/**
 * `proof.json?day=2026-11-21`: the proof of the account's entries up to that day, or the last one.
 * Errors (DomainError): route_not_found where there is none.
 */
export const openProofFile: OpenExport = async (deps, { query, accountId, mode, language }) => {
  const { day } = proofFileInput.parse(Object.fromEntries(query));
  const proof = await openProof(deps, accountId, day);
  if (!proof) throw new DomainError('route_not_found');
  return {
    name: fileName([messages[language].files.proof.name, proof.head.day], { mode, language, extension: 'json' }),
    mediaType: 'application/json',
    totalRows: proof.entries,
    pieces: proof.pieces(),
  };
};
