import { Timeline } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { WholeDispute } from '#contract/disputes/disputes.ts';
import { Muted } from '#panel/shell/muted.tsx';
import { Section } from '#panel/shell/section.tsx';
import { useFormats } from '#panel/use-formats.ts';

/** What has happened to a case, oldest first. */
export function CaseTimeline({ dispute }: { dispute: WholeDispute }) {
  const t = useTranslations('panel.disputes');
  const formats = useFormats();
  const moments = disputeMoments(dispute);
  return (
    <Section title={t('case.timeline')}>
      <Timeline active={moments.length} bulletSize={12} lineWidth={2} color="gray">
        {moments.map(({ what, at }) => (
          <Timeline.Item key={what} title={t(`moments.${what}`)}>
            <Muted fz={13} component="div">
              <time dateTime={at}>{formats.instantExactly(at)}</time>
            </Muted>
          </Timeline.Item>
        ))}
      </Timeline>
    </Section>
  );
}

/** The known moments of a case: opened, answered, closed. */
export function disputeMoments({
  state,
  opened_at: opened,
  answer,
  answered_at: answered,
  closed_at: closed,
}: WholeDispute) {
  return [
    { what: 'opened' as const, at: opened },
    ...(answer && answered ? [{ what: answer, at: answered }] : []),
    ...(closed && state !== 'open' && state !== 'answered' ? [{ what: state, at: closed }] : []),
  ];
}
