import { Card, Stack, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { TermsOutput } from '#contract/accounts/terms-output.ts';
import { Section } from '#panel/shell/section.tsx';
import { TermLines, useFromText } from './term-lines.tsx';

/** The changes that the operator has planned: from when on, and what applies then. */
export function PlannedTerms({ planned }: { planned: TermsOutput['planned'] }) {
  const t = useTranslations('panel.terms.change');
  const fromText = useFromText();
  if (planned.length === 0) return null;
  return (
    <Section plain title={t('planned')} text={t('plannedText')}>
      <Card withBorder padding="lg">
        <Stack gap="md">
          {planned.map((change, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two may begin at one instant.
            <div key={`${change.effective_from} ${at}`}>
              <Text fz="sm" fw={600}>
                {fromText(change.effective_from)}
              </Text>
              <TermLines change={change} />
            </div>
          ))}
        </Stack>
      </Card>
    </Section>
  );
}
