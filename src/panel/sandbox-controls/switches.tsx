import { Alert, Button, Group, NativeSelect } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import type { SandboxStateView } from '#contract/sandbox/sandbox.ts';
import { SANDBOX_SWITCHES } from '#domain/sandbox/sandbox-switches.ts';
import type { Messages } from '#messages/messages.ts';
import { api } from '#panel/api.tsx';
import { DataTable } from '#panel/shell/data-table.tsx';
import { Section } from '#panel/shell/section.tsx';
import { StatusBadge } from '#panel/shell/status-badge.tsx';
import { useNotify } from '#panel/shell/use-notify.ts';
import classes from './sandbox-page.module.css';
import { useSandboxErrorText } from './use-sandbox-command.ts';

type SwitchName = keyof typeof SANDBOX_SWITCHES;
type ValueName = keyof Messages['panel']['sandbox']['switches']['values'];
type SwitchText = keyof Messages['panel']['sandbox']['switches']['names'];

const NAMES = Object.keys(SANDBOX_SWITCHES) as SwitchName[];
const textKey = (name: SwitchName) => name.replace('.', '_') as SwitchText;
const usual = (name: SwitchName): string => SANDBOX_SWITCHES[name][0];

/**
 * How the providers misbehave, for the whole sandbox; it can be changed here only where no other
 * tests are affected.
 */
export function Switches({ state }: { state: SandboxStateView }) {
  const t = useTranslations('panel.sandbox.switches');
  const { switches, may_switch: maySwitch } = state;
  const utils = api.useUtils();
  const { failed } = useNotify(useSandboxErrorText());
  const change = api.sandbox.setSwitch.useMutation({
    onSuccess: (state) => utils.sandbox.state.setData(undefined, state),
    onError(error) {
      failed(error);
      void utils.sandbox.state.invalidate();
    },
  });
  // A switch that fails says why by itself; those after it stay as they are.
  const reset = useMutation({
    async mutationFn(names: readonly SwitchName[]) {
      for (const name of names) await change.mutateAsync({ name, value: usual(name) });
    },
  });
  if (switches === null) return <Alert color="yellow">{t('silent')}</Alert>;
  const changed = NAMES.filter((name) => (switches[name] ?? usual(name)) !== usual(name));
  const aside = (
    <Group gap="sm" aria-live="polite">
      {changed.length === 0 ? (
        <StatusBadge tone="ok" label={t('allNormal')} />
      ) : (
        <StatusBadge tone="warn" label={t('notNormal', { count: changed.length })} />
      )}
      {maySwitch && changed.length > 0 && (
        <Button size="xs" variant="default" loading={reset.isPending} onClick={() => reset.mutate(changed)}>
          {t('reset')}
        </Button>
      )}
    </Group>
  );
  // One change at a time; a switch that is disabled meanwhile would lose the keyboard's focus.
  const isChanging = change.isPending || reset.isPending;
  const value = (name: SwitchName) => (
    <Value
      name={name}
      value={switches[name] ?? usual(name)}
      onChange={maySwitch ? (chosen) => isChanging || change.mutate({ name, value: chosen }) : null}
    />
  );
  const named = (name: SwitchName) => (
    <>
      {t(`names.${textKey(name)}`)}
      <code className={classes.code}>{name}</code>
    </>
  );
  return (
    <Section plain title={t('title')} text={t('text')} aside={aside}>
      <Alert color={maySwitch ? 'yellow' : 'blue'} variant="light" p="sm">
        {t(maySwitch ? 'shared' : 'operator')}
      </Alert>
      <DataTable
        rows={NAMES}
        keyOf={(name) => name}
        lines={['switchName switchName', 'switchValue switchValue']}
        classes={{ ...classes, row: classes.switchRow ?? '' }}
        rowProps={(name) => ({ 'data-changed': changed.includes(name) })}
        columns={[
          { name: 'switchName', cell: named, isHead: true },
          { name: 'switchValue', cell: value },
        ]}
      />
    </Section>
  );
}

type ValueProps = { name: SwitchName; value: string; onChange: ((value: string) => void) | null };

function Value({ name, value, onChange }: ValueProps) {
  const t = useTranslations('panel.sandbox.switches');
  if (!onChange) return t(`values.${value as ValueName}`);
  return (
    <NativeSelect
      size="xs"
      aria-label={t(`names.${textKey(name)}`)}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      data={SANDBOX_SWITCHES[name].map((one) => ({ value: one, label: t(`values.${one}`) }))}
    />
  );
}
