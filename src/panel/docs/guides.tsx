import { useTranslations } from 'next-intl';
import { JsonBlock } from './code-block.tsx';
import { ErrorCodes, FailureCodes } from './error-codes.tsx';
import { Permissions, Secrets } from './permissions.tsx';
import { type ErrorAnswer, reference } from './reference.ts';
import { Codes, Prose } from './section.tsx';

/** What holds for every operation. */
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
    <Prose id="versions" values={{ version: reference.version }} />
  </>
);

const ERROR_STATUSES = [
  '400',
  '401',
  '403',
  '404',
  '405',
  '409',
  '410',
  '413',
  '415',
  '422',
  '429',
  '500',
  '503',
] as const;

function Errors() {
  const t = useTranslations('docs.errors');
  const side = (
    <>
      <JsonBlock title="400" value={errorOf('createPixCharge', ({ body }) => 'details' in body)} />
      <JsonBlock title="400 · POST /payments/deposits/crypto" value={errorOf('createCryptoDeposit', () => true)} />
      <JsonBlock title="403" value={errorOf('createCryptoWithdrawal', ({ body }) => 'kyc_status' in body)} />
    </>
  );
  const rows = ERROR_STATUSES.map((one) => [one, t(`statuses.${one}.meaning`), t(`statuses.${one}.repeat`)]);
  return <Prose id="errors" side={side} table={{ head: [t('status'), t('meaning'), t('repeat')], rows }} />;
}

function errorOf(operationId: string, isMeant: (error: ErrorAnswer) => boolean) {
  return reference.operations.find(({ id }) => id === operationId)?.errors.find(isMeant)?.body;
}

function RateLimits() {
  const t = useTranslations('docs.rateLimits');
  const rows = reference.answerHeaders
    .filter(({ name }) => /^(RateLimit-|Retry-After)/.test(name))
    .map(({ name, description, example }) => [
      <code key="name">{name}</code>,
      <span key="says">
        {description} <Codes texts={[String(example)]} />
      </span>,
    ]);
  return <Prose id="rateLimits" table={{ head: [t('header'), t('says')], rows }} />;
}
