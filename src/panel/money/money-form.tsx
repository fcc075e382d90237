import { Paper, SegmentedControl, Stack, Title } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { type ComponentProps, type FormEvent, type ReactNode, useEffect, useRef } from 'react';
import { QueryState } from '#panel/shell/query-state.tsx';
import classes from './money-form.module.css';

export type MoneyKind = 'pix' | 'crypto';

type Props = {
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  /** PIX or crypto: the first choice of a charge and of a withdrawal. */
  kind: MoneyKind;
  kindLabel: string;
  onKindChange: (kind: MoneyKind) => void;
  /** What the amounts come to, beside the fields; on a phone below them. */
  preview: ReactNode;
  actions: ReactNode;
  children: ReactNode;
};

/** The form that a charge and a withdrawal begin with. */
export function MoneyForm({ onSubmit, kind, kindLabel, onKindChange, preview, actions, children }: Props) {
  const t = useTranslations('panel.moneyForm');
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    // With a mouse only: on a phone the focus would open the keyboard over the page.
    if (!window.matchMedia('(pointer: fine)').matches) return;
    form.current?.querySelector<HTMLInputElement>('input:not([type="radio"])')?.focus({ preventScroll: true });
  }, []);
  return (
    <form ref={form} onSubmit={onSubmit} noValidate className={classes.layout}>
      <Paper withBorder p="lg" style={{ gridArea: 'fields' }}>
        <Stack gap="md">
          <SegmentedControl
            aria-label={kindLabel}
            fullWidth
            value={kind}
            onChange={onKindChange}
            data={(['pix', 'crypto'] as const).map((value) => ({ value, label: t(value) }))}
          />
          {children}
        </Stack>
      </Paper>
      <div style={{ gridArea: 'preview' }}>{preview}</div>
      <Stack gap="sm" style={{ gridArea: 'actions' }}>
        {actions}
      </Stack>
    </form>
  );
}

/** What a form's amounts come to, before anything is sent. */
export function MoneyPreview<T>({ children, ...query }: ComponentProps<typeof QueryState<T>>) {
  const t = useTranslations('panel.moneyForm');
  return (
    <Paper withBorder p="lg" component="section" aria-label={t('preview')}>
      <QueryState {...query}>
        {(data) => (
          <Stack gap="md">
            <Title order={2} fz="md">
              {t('preview')}
            </Title>
            {children(data)}
          </Stack>
        )}
      </QueryState>
    </Paper>
  );
}
