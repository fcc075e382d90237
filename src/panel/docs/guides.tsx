import { useTranslations } from 'next-intl';
import { JsonBlock } from './code-block.tsx';
import classes from './docs-page.module.css';
import { type ErrorAnswer, reference } from './reference.ts';
import { link, RICH } from './rich-text.tsx';
import { DocsTable, Section } from './section.tsx';

/** What holds for every operation, in prose. */

export function FirstSteps({ baseUrl }: { baseUrl: string }) {
  const t = useTranslations('docs.firstSteps');
  return (
    <Section id="firstSteps" title={t('title')}>
      <p>{t.rich('key', { ...RICH, sandbox: link('#sandbox') })}</p>
      <p>{t.rich('base', { ...RICH, base: baseUrl })}</p>
      <p>{t.rich('json', RICH)}</p>
    </Section>
  );
}

export function Amounts() {
  const t = useTranslations('docs.amounts');
  return (
    <Section id="amounts" title={t('title')}>
      <p>{t.rich('brl', RICH)}</p>
      <p>{t.rich('crypto', RICH)}</p>
      <p>{t.rich('fees', RICH)}</p>
      <p>{t.rich('dates', RICH)}</p>
    </Section>
  );
}

const CHECKS = [
  'key',
  'body',
  'permission',
  'amount',
  'required',
  'format',
  'kyc',
  'rail',
  'minimum',
  'maximum',
  'quote',
  'daily',
  'balance',
  'provider',
] as const;

export function OrderOfChecks() {
  const t = useTranslations('docs.order');
  return (
    <Section id="order" title={t('title')}>
      <p>{t('text')}</p>
      <ol className={classes.steps}>
        {CHECKS.map((check) => (
          <li key={check}>{t.rich(`steps.${check}`, RICH)}</li>
        ))}
      </ol>
    </Section>
  );
}

const ERROR_STATUSES = ['400', '401', '403', '404', '405', '409', '413', '415', '422', '429', '500', '503'] as const;

export function Errors() {
  const t = useTranslations('docs.errors');
  const side = (
    <>
      <JsonBlock title="400" value={errorOf('createPixCharge', ({ body }) => 'details' in body)} />
      <JsonBlock title="400 · POST /payments/deposits/crypto" value={errorOf('createCryptoDeposit', () => true)} />
      <JsonBlock title="403" value={errorOf('createCryptoWithdrawal', ({ body }) => 'kyc_status' in body)} />
    </>
  );
  return (
    <Section id="errors" title={t('title')} side={side}>
      <p>{t('intro')}</p>
      <ul className={classes.points}>
        <li>{t.rich('main', RICH)}</li>
        <li>{t.rich('crypto', RICH)}</li>
      </ul>
      <p>{t.rich('kyc', RICH)}</p>
      <p>{t.rich('requestId', RICH)}</p>
      <DocsTable label={t('title')} head={[t('status'), t('meaning'), t('repeat')]}>
        {ERROR_STATUSES.map((status) => (
          <tr key={status}>
            <th scope="row">{status}</th>
            <td>{t(`statuses.${status}.meaning`)}</td>
            <td>{t(`statuses.${status}.repeat`)}</td>
          </tr>
        ))}
      </DocsTable>
    </Section>
  );
}

function errorOf(operationId: string, isMeant: (error: ErrorAnswer) => boolean) {
  const operations = reference.groups.flatMap((group) => group.operations);
  return operations.find(({ id }) => id === operationId)?.errors.find(isMeant)?.body;
}

export function Idempotency() {
  const t = useTranslations('docs.idempotency');
  return (
    <Section id="idempotency" title={t('title')}>
      <p>{t.rich('use', RICH)}</p>
      <ul className={classes.points}>
        <li>{t.rich('same', RICH)}</li>
        <li>{t.rich('other', RICH)}</li>
        <li>{t.rich('running', RICH)}</li>
      </ul>
      <p>{t.rich('kept', RICH)}</p>
    </Section>
  );
}

export function RateLimits() {
  const t = useTranslations('docs.rateLimits');
  const headers = reference.answerHeaders.filter(({ name }) => /^(RateLimit-|Retry-After)/.test(name));
  return (
    <Section id="rateLimits" title={t('title')}>
      <p>{t.rich('text', RICH)}</p>
      <DocsTable label={t('title')} head={[t('header'), t('says')]}>
        {headers.map(({ name, description, example }) => (
          <tr key={name}>
            <th scope="row">
              <code>{name}</code>
            </th>
            <td>
              {description} <code>{String(example)}</code>
            </td>
          </tr>
        ))}
      </DocsTable>
    </Section>
  );
}

export function Versions() {
  const t = useTranslations('docs.versions');
  return (
    <Section id="versions" title={t('title')}>
      <p>{t.rich('text', { ...RICH, version: reference.version })}</p>
      <h3 className={classes.subheading}>{t('additiveTitle')}</h3>
      <ul className={classes.points}>
        {(['operations', 'fields', 'members', 'events', 'errors'] as const).map((name) => (
          <li key={name}>{t(`additive.${name}`)}</li>
        ))}
      </ul>
      <h3 className={classes.subheading}>{t('breakingTitle')}</h3>
      <ul className={classes.points}>
        {(['removing', 'types', 'required', 'texts'] as const).map((name) => (
          <li key={name}>{t(`breaking.${name}`)}</li>
        ))}
      </ul>
    </Section>
  );
}
