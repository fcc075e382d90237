import { Box } from '@mantine/core';
import {
  IconAlertTriangle,
  IconClock,
  IconGauge,
  IconInbox,
  IconPlugConnected,
  IconSearch,
  IconShieldCheck,
  IconUserCheck,
} from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { Overview } from '#contract/reports/overview.ts';
import { LinkButton } from '#panel/shell/links.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import rows from '#panel/shell/row-list.module.css';
import { usePanel } from '#panel/shell/use-panel.ts';
import { type Filters, NO_FILTERS, writeFilters } from '#panel/transactions/filters.ts';
import { useSpan } from '#panel/transactions/use-span.ts';
import { useFormats } from '#panel/use-formats.ts';
import { Icon, type IconShape } from '../shell/icon.tsx';
import classes from './overview.module.css';

type Item = {
  key: string;
  icon: IconShape;
  tone: 'warn' | 'bad' | 'wait';
  text: ReactNode;
  href: string;
  action: string;
};

/** What needs a person's attention, each with one action. */
export function AttentionList({ attention }: { attention: Overview['attention'] }) {
  const t = useTranslations('panel.overview.attention');
  const items = useItems(attention);
  // The strip above says what waits: it would be wrong to say that nothing does.
  if (items.length === 0 && attention.disputes) return null;
  return (
    <Box component="section" mt={8} aria-labelledby="attention">
      <h2 id="attention" className={classes.heading}>
        {t('title')}
      </h2>
      {items.length === 0 ? (
        <Muted>{t('nothing')}</Muted>
      ) : (
        <ul className={`plain-list ${rows.list}`}>
          {items.map(({ key, icon, tone, text, href, action }) => (
            <li key={key} className={classes.item}>
              <span className={classes.itemIcon} data-tone={tone}>
                <Icon of={icon} />
              </span>
              <span className={classes.itemText}>{text}</span>
              <LinkButton href={href} size="xs" label={action} />
            </li>
          ))}
        </ul>
      )}
    </Box>
  );
}

function useItems(attention: Overview['attention']): Item[] {
  const t = useTranslations('panel.overview.attention');
  const { reais, instant } = useFormats();
  const { href, may, sees } = usePanel();
  const since = useSpan();
  const { verification, webhooks, limits, stuck_withdrawals: stuck, in_review: inReview } = attention;
  const { awaited_approvals: approvals, awaited_batches: batches, missing_providers: missing } = attention;
  const transactionOr = (pile: { count: number; oldest_transaction_id: string }, filters: Partial<Filters>) =>
    href(
      pile.count === 1
        ? `/transacoes/${pile.oldest_transaction_id}`
        : `/transacoes${writeFilters({ ...NO_FILTERS, ...filters })}`,
    );
  const isRejected = verification?.state === 'rejected';
  const kinds = missing.map((kind) => t(`providerKinds.${kind}`)).join(', ');
  const items: (Item | false | null)[] = [
    missing.length > 0 && {
      key: 'providers',
      icon: IconPlugConnected,
      tone: 'bad',
      text: t('provider', { kinds }),
      href: href('/provedores'),
      action: t('providerAction'),
    },
    ...webhooks.map(
      ({ endpoint_id: key, topic, host, disabled_reason: reason, failing_since: at, waiting }): Item => ({
        key,
        icon: IconAlertTriangle,
        tone: 'bad',
        text: t(reason === 'failing' ? 'webhookGivenUp' : reason === null ? 'webhook' : 'webhookDisabled', {
          topic: topic === null ? host : t(`topics.${topic}`),
          since: since(at),
          waiting,
        }),
        href: href('/webhooks'),
        action: t('webhookAction'),
      }),
    ),
    approvals &&
      may('approvals.approve') && {
        key: 'approvals',
        icon: IconUserCheck,
        tone: 'wait',
        text: t('approvals', {
          count: approvals.count,
          amount: reais(approvals.amount),
          since: since(approvals.oldest_at),
        }),
        href: transactionOr(approvals, { statuses: ['pending_approval'] }),
        action: t('approvalsAction', { count: approvals.count }),
      },
    batches &&
      may('batches.approve') && {
        key: 'batches',
        icon: IconUserCheck,
        tone: 'wait',
        text: t('batches', { count: batches.count, amount: reais(batches.amount), since: since(batches.oldest_at) }),
        href: href(batches.count === 1 ? `/lotes/${batches.oldest_batch_id}` : '/lotes'),
        action: t('batchesAction', { count: batches.count }),
      },
    stuck && {
      key: 'stuck',
      icon: IconClock,
      tone: 'warn',
      text: t('stuck', { count: stuck.count, amount: reais(stuck.amount), since: since(stuck.oldest_at) }),
      href: transactionOr(stuck, { types: ['pix_out', 'crypto_out'], statuses: ['pending', 'processing'] }),
      action: t('stuckAction', { count: stuck.count }),
    },
    inReview && {
      key: 'review',
      icon: IconSearch,
      tone: 'warn',
      text: t('review', { count: inReview.count, amount: reais(inReview.amount) }),
      href: transactionOr(inReview, { statuses: ['review'] }),
      action: t('reviewAction', { count: inReview.count }),
    },
    ...(['unmatched', 'unrequested'] as const).map((key): Item | null => {
      const inbox = attention[key];
      return (
        inbox && {
          key,
          icon: IconInbox,
          tone: 'warn',
          text: t(key, { count: inbox.count, amount: reais(inbox.amount), since: since(inbox.oldest_at) }),
          href: href('/sem-cobranca'),
          action: t('unmatchedAction'),
        }
      );
    }),
    ...limits.map(
      ({ name: key, used, limit: most, ends_at: endsAt }): Item => ({
        key,
        icon: IconGauge,
        tone: 'warn',
        text: t('limit', {
          limit: t(`limits.${key as 'daily_limit_out_pix'}`),
          used: reais(used),
          most: reais(most),
          percent: Math.floor((used / most) * 100),
          until: instant(endsAt),
        }),
        href: href('/limites'),
        action: t('limitAction'),
      }),
    ),
    verification !== null &&
      verification.state !== 'submitted' && {
        key: 'verification',
        icon: IconShieldCheck,
        tone: isRejected ? 'bad' : 'wait',
        text: isRejected ? t('verificationRejected', { reason: verification.reason ?? '' }) : t('verificationMissing'),
        href: href('/verificacao'),
        action: t('verificationAction'),
      },
  ];
  // A member whose role can't do anything about an item does not see it.
  return items
    .filter((item) => item !== null && item !== false)
    .filter((item) => sees(item.href.slice(href('').length)));
}
