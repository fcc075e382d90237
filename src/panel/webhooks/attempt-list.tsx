import { Accordion, Group, Stack, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { DeliveryOutput } from '#contract/webhooks/webhooks.ts';
import { CodeBlock } from '#panel/shell/code-block.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { StatusBadge } from '#panel/shell/status-badge.tsx';
import { When } from '#panel/shell/when.tsx';
import { isTaken, useAnswerText } from './delivery-text.ts';
import { HeaderList } from './header-list.tsx';

type Try = DeliveryOutput['tries'][number];

/** The attempts of a delivery, the newest first and open. */
export function AttemptList({ tries }: { tries: readonly Try[] }) {
  const t = useTranslations('panel.webhooks.delivery');
  const newestFirst = tries.toReversed();
  return (
    <section>
      <Text component="h3" fz="sm" fw={600} mb={6}>
        {t('attempts')}
      </Text>
      {tries.length === 0 ? (
        <Muted>{t('noAttempts')}</Muted>
      ) : (
        // A new attempt restarts the list, with that attempt open.
        <Accordion
          key={newestFirst[0]?.number}
          variant="contained"
          chevronPosition="left"
          multiple
          order={4}
          defaultValue={[String(newestFirst[0]?.number)]}
        >
          {newestFirst.map((attempt) => (
            <Accordion.Item key={attempt.number} value={String(attempt.number)}>
              <Accordion.Control>
                <AttemptLine attempt={attempt} />
              </Accordion.Control>
              <Accordion.Panel>
                <AttemptContent attempt={attempt} />
              </Accordion.Panel>
            </Accordion.Item>
          ))}
        </Accordion>
      )}
    </section>
  );
}

function AttemptLine({ attempt }: { attempt: Try }) {
  const t = useTranslations('panel.webhooks');
  const answerText = useAnswerText();
  return (
    <Group component="span" gap="4px 12px" fz="sm">
      <Muted span fz={13}>
        {attempt.number}
      </Muted>
      <StatusBadge tone={isTaken(attempt) ? 'ok' : 'bad'} label={answerText(attempt)} />
      <Muted span fz={13}>
        {t('ms', { ms: attempt.duration_ms })}
      </Muted>
      <Muted span fz={13} ml="auto">
        <When at={attempt.started_at} seconds />
      </Muted>
    </Group>
  );
}

/** The headers that were sent, and the answer. */
function AttemptContent({ attempt: { headers, answer, status_code: status } }: { attempt: Try }) {
  const t = useTranslations('panel.webhooks.delivery');
  return (
    <Stack gap="sm">
      <HeaderList title={t('headers')} headers={headers} />
      {answer ? (
        <CodeBlock title={t('answer')} text={answer} />
      ) : (
        <div>
          <Muted fz="xs" mb={4}>
            {t('answer')}
          </Muted>
          <Text fz="sm">{t(status === null ? 'noAnswer' : 'emptyAnswer')}</Text>
        </div>
      )}
    </Stack>
  );
}
