import { useTranslations } from 'next-intl';
import { Changes } from './changes.tsx';
import { JsonBlock } from './code-block.tsx';
import { ErrorCodes, FailureCodes } from './error-codes.tsx';
import { Permissions, Secrets } from './permissions.tsx';
import { type ErrorAnswer, reference } from './reference.ts';
import { Prose } from './section.tsx';
import { errorStatusesTable, rateLimitsTable } from './tables/error-tables.ts';
import { VERSION_VALUES } from './version-values.ts';

/** The sections that apply to every operation. */
export const Guides = () => (
  <>
    <Prose id="libraries" />
    <Permissions />
    <Secrets />
    <Prose id="amounts" />
    <Prose id="order" />
    <Errors />
    <ErrorCodes />
    <FailureCodes />
    <Prose id="warnings" />
    <Prose id="idempotency" />
    <RateLimits />
    <Prose id="versions" values={VERSION_VALUES} />
    <Changes />
  </>
);

function Errors() {
  const side = (
    <>
      <JsonBlock title="400" value={errorOf('createPixCharge', ({ body }) => 'details' in body)} />
      <JsonBlock title="400 · POST /payments/deposits/crypto" value={errorOf('createCryptoDeposit', () => true)} />
      <JsonBlock title="403" value={errorOf('createCryptoWithdrawal', ({ body }) => 'kyc_status' in body)} />
    </>
  );
  return <Prose id="errors" side={side} table={errorStatusesTable(useTranslations())} />;
}

function errorOf(operationId: string, isMeant: (error: ErrorAnswer) => boolean) {
  return reference.operations.find(({ id }) => id === operationId)?.errors.find(isMeant)?.body;
}

const RateLimits = () => <Prose id="rateLimits" table={rateLimitsTable(useTranslations())} />;
