import type { useTranslations } from 'next-intl';
import { reference } from './reference.ts';

export type ContentsPart = { title: string; entries: { id: string; title: string }[] };

/**
 * The ids of the sections that are prose, in the page's order; each has a title under its name in
 * the messages.
 */
const SECTIONS = {
  start: ['firstSteps', 'tryIt', 'amounts', 'order', 'errors', 'idempotency', 'rateLimits', 'versions'],
  concepts: ['states', 'limits'],
  webhooks: ['webhooks', 'events'],
  sandbox: ['sandbox', 'switches'],
} as const;

/** What the page holds, in its order. */
export function contentsOf(t: ReturnType<typeof useTranslations<'docs'>>) {
  const part = (name: keyof typeof SECTIONS): ContentsPart => ({
    title: t(`parts.${name}`),
    entries: SECTIONS[name].map((id) => ({ id, title: t(`${id}.title`) })),
  });
  const operations = reference.groups.map(
    ({ tag, operations }): ContentsPart => ({
      title: t(`tags.${tag}.name`),
      entries: operations.map(({ id }) => ({ id, title: t(`operations.${id}.summary`) })),
    }),
  );
  return [part('start'), ...operations, part('concepts'), part('webhooks'), part('sandbox')];
}
