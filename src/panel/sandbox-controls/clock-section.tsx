import { Alert, Button, Group, Loader, NativeSelect, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useRef, useState } from 'react';
import { api } from '#panel/api.tsx';
import { useErrorText } from '#panel/shell/call-error.ts';
import { Muted } from '#panel/shell/muted.tsx';
import { Section } from '#panel/shell/section.tsx';
import { useNotify } from '#panel/shell/use-notify.ts';
import { usePanel } from '#panel/shell/use-panel.ts';
import { useFormats } from '#panel/use-formats.ts';

/** Steps that end what testers wait for: a charge, a night, a schedule, a dispute, a year. */
const STEPS = ['1h', '1d', '7d', '30d', '90d', '366d'] as const;
/** How often the page checks whether the clock has arrived. */
const LOOK_MS = 500;

/** The time of the test account, and a button that moves it forward. */
export function ClockSection() {
  const t = useTranslations('panel.sandbox.clock');
  const formats = useFormats();
  const { may } = usePanel();
  const utils = api.useUtils();
  const [by, setBy] = useState<(typeof STEPS)[number]>('1d');
  const { failed } = useNotify(useErrorText());
  const clock = api.testClock.get.useQuery(
    {},
    {
      refetchInterval: ({ state }) => (state.data?.data.target ? LOOK_MS : false),
    },
  );
  // A double click is one move: the clock does not go back.
  const isSending = useRef(false);
  const advance = api.testClock.advance.useMutation({
    onSuccess: (state) => utils.testClock.get.setData({}, state),
    onError: failed,
    onSettled: () => {
      isSending.current = false;
    },
  });
  const move = () => {
    if (isSending.current) return;
    isSending.current = true;
    advance.mutate({ by });
  };
  const [wasMoving, setWasMoving] = useState(false);
  const state = clock.data?.data;
  const isMoving = Boolean(state?.target);
  if (isMoving !== wasMoving) {
    setWasMoving(isMoving);
    // Everything may have changed meanwhile, also the day in the bar.
    if (!isMoving) void utils.invalidate();
  }
  return (
    <Section title={t('title')} text={t('text')}>
      <Group gap="xs" aria-live="polite" mih={28}>
        {isMoving && <Loader size="xs" />}
        <Text fw={600}>
          {state?.target
            ? t('moving', { at: formats.instant(state.target) })
            : state && t('now', { at: formats.instant(state.now) })}
        </Text>
        {state && !state.target && <Muted>{state.ahead_seconds === 0 ? t('real') : t('ahead')}</Muted>}
      </Group>
      {state?.stopped && <Alert color="yellow">{t(`stopped.${state.stopped}`)}</Alert>}
      {may('testClock.advance') && (
        <Group gap="sm" align="flex-end">
          <NativeSelect
            label={t('by')}
            size="md"
            value={by}
            onChange={({ currentTarget }) => setBy(currentTarget.value as typeof by)}
            data={STEPS.map((value) => ({ value, label: t(`steps.${value}`) }))}
          />
          <Button size="md" variant="default" loading={advance.isPending || isMoving} disabled={!state} onClick={move}>
            {t('advance')}
          </Button>
        </Group>
      )}
    </Section>
  );
}
