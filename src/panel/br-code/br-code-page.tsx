'use client';

import { Anchor, Button, Card, Group, Stack, Textarea } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useDeferredValue, useMemo, useRef, useState } from 'react';
import { encodeRecurrenceBrCode, encodeStaticBrCode } from '#domain/charges/br-code.ts';
import { readBrCode } from '#domain/charges/read-br-code.ts';
import { DocsButton } from '#panel/shell/docs-button.tsx';
import { EmptyState } from '#panel/shell/empty-state.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { Page } from '#panel/shell/page.tsx';
import { Section } from '#panel/shell/section.tsx';
import { StatusBadge } from '#panel/shell/status-badge.tsx';
import { usePanel } from '#panel/shell/use-panel.ts';
import classes from './br-code-page.module.css';
import { CodeFields } from './code-fields.tsx';
import { FieldTable } from './field-table.tsx';
import { IssueList, MarkedText } from './issue-list.tsx';

const GOOD = encodeStaticBrCode({
  key: '123e4567-e12b-12d1-a456-426655440000',
  amountCentavos: 10_050n,
  merchantName: 'Café da Esquina',
  merchantCity: 'São Paulo',
  message: 'Pedido 42',
  txid: 'PEDIDO42',
});
/** The good code with its amount changed afterwards, as a fraudster or a careless program would. */
const BAD = GOOD.replace('100.50', '900.50');
/** A code of Pix Automático: it asks for a recurring authorisation, and for no payment. */
const RECURRENCE = encodeRecurrenceBrCode({
  recurrence: 'pix.example.com/qr/v2/rec/2353c790eefb11eaadc10242ac120002',
  merchantName: 'Academia do Bairro',
  merchantCity: 'São Paulo',
});

/**
 * Reads a PIX code that is pasted: what it says, its fields, and everything that is wrong with it.
 * It is read in the browser.
 */
export function BrCodePage() {
  const t = useTranslations('panel.brCode');
  const { mode } = usePanel();
  const [pasted, setPasted] = useState('');
  const text = useDeferredValue(pasted);
  const reading = useMemo(() => readBrCode(text), [text]);
  const input = useRef<HTMLTextAreaElement>(null);
  const show = (code: string) => {
    setPasted(code);
    input.current?.focus();
  };
  return (
    <Page title={t('title')} description={t('description')} actions={<DocsButton />}>
      <Stack gap="lg">
        <Card withBorder padding="lg">
          <Stack gap="xs">
            <Textarea
              ref={input}
              label={t('code')}
              description={t('codeHint')}
              value={pasted}
              onChange={({ currentTarget }) => setPasted(currentTarget.value)}
              autosize
              minRows={3}
              maxRows={8}
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
              classNames={{ input: classes.input }}
            />
            <Group gap="md" mih={30}>
              {mode === 'test' && (
                <Group fz="sm" gap="4px 12px">
                  {t('examples')}
                  <Anchor component="button" type="button" fz="sm" c="var(--focus)" onClick={() => show(GOOD)}>
                    {t('exampleGood')}
                  </Anchor>
                  <Anchor component="button" type="button" fz="sm" c="var(--focus)" onClick={() => show(BAD)}>
                    {t('exampleBad')}
                  </Anchor>
                  <Anchor component="button" type="button" fz="sm" c="var(--focus)" onClick={() => show(RECURRENCE)}>
                    {t('exampleRecurrence')}
                  </Anchor>
                </Group>
              )}
              {pasted !== '' && (
                <Button size="xs" variant="default" ml="auto" onClick={() => show('')}>
                  {t('clear')}
                </Button>
              )}
            </Group>
          </Stack>
        </Card>
        <div role="status" aria-live="polite" className={classes.result}>
          {reading.text !== '' && <Outcome issues={reading.issues} />}
        </div>
        {reading.text === '' ? (
          <EmptyState title={t('empty.title')} text={t('empty.text')} />
        ) : (
          <>
            {reading.issues.length > 0 && (
              <Section plain title={t('issuesTitle')}>
                <Card withBorder padding="lg">
                  <Stack gap="md">
                    <IssueList issues={reading.issues} />
                    <MarkedText text={reading.text} issues={reading.issues} />
                  </Stack>
                </Card>
              </Section>
            )}
            <Section plain title={t('says')}>
              <Card withBorder padding="lg">
                <CodeFields reading={reading} />
              </Card>
            </Section>
            <Section plain title={t('fieldsTitle')}>
              <FieldTable fields={reading.fields} issues={reading.issues} />
            </Section>
          </>
        )}
      </Stack>
    </Page>
  );
}

function Outcome({ issues }: { issues: ReturnType<typeof readBrCode>['issues'] }) {
  const t = useTranslations('panel.brCode.result');
  if (issues.length === 0) return <StatusBadge tone="ok" label={t('good')} />;
  const errors = issues.filter(({ severity }) => severity === 'error').length;
  if (errors === 0) return <StatusBadge tone="warn" label={t('warned')} />;
  return (
    <>
      <StatusBadge tone="bad" label={t('bad')} />
      <Muted>{t('issues', { count: errors })}</Muted>
    </>
  );
}
