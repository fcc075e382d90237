import { Group, NativeSelect, SegmentedControl, TextInput } from '@mantine/core';
import { useLocale, useTranslations } from 'next-intl';
import { useState } from 'react';
import { LIMIT_NAMES, type LimitName } from '#domain/accounts/limits.ts';
import { daysToPlanFor } from '#domain/accounts/terms-change.ts';
import { TRANSACTION_TYPES, type TransactionType } from '#domain/transactions/transaction-states.ts';
import type { Language } from '#domain/values/language.ts';
import { toBrl } from '#domain/values/money.ts';
import { readTypedAmount } from '#domain/values/read-typed-amount.ts';
import { serviceNow } from '#panel/connection/service-clock.ts';
import { fieldIssues } from '#panel/shell/call-error.ts';
import { DayField } from '#panel/shell/day-field.tsx';
import { useIssueText } from '#panel/shell/use-issue-text.ts';
import { useNotify } from '#panel/shell/use-notify.ts';
import { operatorApi } from './operator-api.tsx';
import { ReasonDialog } from './reason-dialog.tsx';

type Term = `fee ${TransactionType}` | `limit ${LimitName}` | 'spread' | 'tolerance';
type Mode = 'amount' | 'none' | 'default';

const TERMS: readonly Term[] = [
  ...TRANSACTION_TYPES.map((type) => `fee ${type}` as const),
  ...LIMIT_NAMES.map((name) => `limit ${name}` as const),
  'spread',
  'tolerance',
];

/** Changes one fee, limit or rate of an account: now, or from the beginning of a day on. */
export function ChangeTermsDialog({ accountId, onClose }: { accountId: string; onClose: () => void }) {
  const t = useTranslations('operator.terms');
  const language = useLocale();
  const notify = useNotify();
  const issueText = useIssueText();
  const utils = operatorApi.useUtils();
  const [term, setTerm] = useState<Term>('fee pix_in');
  const [mode, setMode] = useState<Mode>('amount');
  const [typed, setTyped] = useState({ first: '', fixed: '', from: '' });
  const [isChecked, setChecked] = useState(false);
  const change = operatorApi.terms.change.useMutation(
    notify.afterDialog(t('saved'), {
      refresh: () => Promise.all([utils.terms.invalidate(), utils.accounts.get.invalidate()]),
      onClose,
    }),
  );
  const asked = askedOf(term, mode, typed, language);
  const issues = fieldIssues(change.error);
  const said = (...names: string[]) => {
    const found = Object.entries(issues).find(([field]) =>
      names.some((name) => field === name || field.endsWith(`.${name}`)),
    );
    return found && issueText(found[1]);
  };
  const missing = (text: string) => isChecked && figureOf(text, language) === null && t('missing');
  const field = (name: 'first' | 'fixed') => ({
    value: typed[name],
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      setTyped((before) => ({ ...before, [name]: currentTarget.value })),
    autoComplete: 'off',
  });
  const days = daysToPlanFor(serviceNow());
  const isFee = term.startsWith('fee ');
  const isLimit = term.startsWith('limit ');
  return (
    <ReasonDialog
      title={t('dialogTitle')}
      text={t('dialogText')}
      submit={t('save')}
      call={change}
      errorText={said('terms')}
      isDirty={Object.values(typed).some((text) => text !== '')}
      onSubmit={(reason) => {
        setChecked(true);
        if (asked === null) return;
        change.mutate({ account_id: accountId, ...asked, effective_from: typed.from || null, reason });
      }}
      onClose={onClose}
    >
      <TermSelect
        value={term}
        onChange={(next) => {
          setTerm(next);
          setTyped((before) => ({ ...before, first: '', fixed: '' }));
          setChecked(false);
        }}
      />
      {isLimit && (
        <SegmentedControl
          aria-label={t('kind')}
          value={mode}
          onChange={(next) => setMode(next as Mode)}
          fullWidth
          data={[
            { value: 'amount', label: t('value') },
            { value: 'none', label: t('none') },
            { value: 'default', label: t('default') },
          ]}
        />
      )}
      {isLimit
        ? mode === 'amount' && (
            <TextInput
              {...field('first')}
              label={t('amount')}
              leftSection="R$"
              inputMode="decimal"
              error={said('limit') ?? missing(typed.first)}
            />
          )
        : null}
      {!isLimit && (
        <Group grow align="flex-start" gap="sm">
          <TextInput
            {...field('first')}
            label={t('percent')}
            rightSection="%"
            inputMode="decimal"
            error={said('percent', 'spread_percent', 'tolerance_percent') ?? missing(typed.first)}
          />
          {isFee && (
            <TextInput
              {...field('fixed')}
              label={t('fixed')}
              leftSection="R$"
              inputMode="decimal"
              error={said('fixed') ?? missing(typed.fixed)}
            />
          )}
        </Group>
      )}
      <DayField
        value={typed.from}
        // A text that is no day is sent, and rejected: without one the change would be at once.
        onChange={(day, text) => setTyped((before) => ({ ...before, from: day ?? text }))}
        min={days.from}
        max={days.to}
        label={t('from')}
        description={t('fromText')}
        error={said('effective_from')}
      />
    </ReasonDialog>
  );
}

function TermSelect({ value, onChange }: { value: Term; onChange: (term: Term) => void }) {
  const t = useTranslations('operator.terms');
  const names = useTranslations('panel.terms.change');
  const rails = useTranslations('panel.terms.rails');
  const nameOf = (term: Term): string => {
    if (term === 'spread' || term === 'tolerance') return names(term);
    const [kind, name = ''] = term.split(' ');
    return kind === 'fee'
      ? names('fee', { operation: rails(name as TransactionType) })
      : names(`limits.${name as LimitName}`);
  };
  return (
    <NativeSelect
      label={t('what')}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value as Term)}
      data={TERMS.map((term) => ({ value: term, label: nameOf(term) }))}
      data-autofocus
    />
  );
}

/** Returns the input of the call for what was typed; null while a figure is missing. */
function askedOf(term: Term, mode: Mode, typed: { first: string; fixed: string }, language: Language) {
  const first = figureOf(typed.first, language);
  const [kind, name] = term.split(' ');
  if (kind === 'limit') {
    if (mode === 'amount' && first === null) return null;
    const limit = mode === 'amount' ? first : null;
    return { limits: [{ name: name as LimitName, limit, is_default: mode === 'default' }] };
  }
  if (first === null) return null;
  if (term === 'spread') return { spread_percent: first };
  if (term === 'tolerance') return { tolerance_percent: first };
  const fixed = figureOf(typed.fixed, language);
  return fixed === null ? null : { fees: [{ type: name as TransactionType, percent: first, fixed }] };
}

/** In centavos, more than any limit: the service rejects what is too large. */
const FIGURE_MAX = 1_000_000_000_000_000_00n;

/** Reads a figure with at most two decimals, 0 included; null for any other text. */
function figureOf(text: string, language: Language): number | null {
  const { centavos, issue } = readTypedAmount(text, language, FIGURE_MAX);
  return issue === 'zero' ? 0 : centavos === null ? null : toBrl(centavos);
}
