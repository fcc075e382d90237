import { Anchor, Box, Group, Text, TextInput } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useEffect, useRef, useState } from 'react';
import { api } from '#panel/api.tsx';
import { PasswordField } from '#panel/auth/password-field.tsx';
import { loadPart } from '#panel/connection/lazy-part.ts';
import { Amount } from '#panel/money/amount.tsx';
import { useRepeatText } from '#panel/transactions/use-repeat-text.ts';
import { WalletText } from '#panel/withdraw/wallet-text.tsx';
import { type ApprovalRequest, approvalOf } from './approval.ts';
import { reasonOf } from './call-error.ts';
import { FormDialog } from './form-dialog.tsx';
import { Muted } from './muted.tsx';
import { usePanel } from './use-panel.ts';

const CODE = /^\d{6}$/;

/** The ways to confirm: the input of each, and its error when it does not confirm. */
const WAYS = {
  code: { wrong: 'wrongCode', input: { inputMode: 'numeric', autoComplete: 'one-time-code' } },
  recovery: { wrong: 'wrongRecovery', input: { autoComplete: 'off' } },
  password: { wrong: 'wrongPassword', input: {} },
} as const;

type Way = keyof typeof WAYS;

/**
 * Asks for a fresh second factor (the password, where none is set up), and says what it approves.
 */
export function ConfirmationDialog({
  request,
  onAnswer,
}: {
  request: ApprovalRequest;
  onAnswer: (confirmed: boolean) => void;
}) {
  const { has_second_factor: hasSecondFactor } = usePanel().me;
  const t = useTranslations('panel.shell.confirm');
  const [way, setWay] = useState<Way>(hasSecondFactor ? 'code' : 'password');
  const [value, setValue] = useState('');
  const [passkeyFailed, setPasskeyFailed] = useState(false);
  const confirm = api.session.confirm.useMutation({ onSuccess: () => onAnswer(true), onError: () => setValue('') });
  const field = useRef<HTMLInputElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another way, or a wrong answer, begins in its field again.
  useEffect(() => field.current?.focus(), [way, confirm.error]);
  const send = (text: string) => {
    // Apps show a code with a space in the middle.
    const code = text.replace(/\s/g, '');
    if (confirm.isPending || code === '') return;
    confirm.mutate(way === 'code' ? { code } : way === 'recovery' ? { recovery_code: text } : { password: text });
  };
  const type = (text: string) => {
    setValue(text);
    if (way === 'code' && CODE.test(text.replace(/\s/g, ''))) send(text);
  };
  const withPasskey = async () => {
    setPasskeyFailed(false);
    // Only members with a passkey need its code.
    const { askForPasskey, hasPasskeys } = await loadPart(() => import('#panel/auth/passkey-sign-in.ts'));
    if (hasPasskeys() && (await askForPasskey({ confirm: true }))) onAnswer(true);
    else setPasskeyFailed(true);
  };
  const choose = (other: Way) => {
    setWay(other);
    setValue('');
    confirm.reset();
  };
  const Field = way === 'password' ? PasswordField : TextInput;
  const isWrong = reasonOf(confirm.error) === 'confirmation_failed';
  return (
    <FormDialog
      title={t('title')}
      submit={t('submit')}
      call={confirm}
      errorText={(isWrong && t(WAYS[way].wrong)) || (passkeyFailed && t('passkeyFailed'))}
      onSubmit={() => send(value)}
      onClose={() => onAnswer(false)}
    >
      <Summary request={request} />
      <Text fz="sm">{t(way === 'password' ? 'textPassword' : 'textCode')}</Text>
      <Field
        key={way}
        ref={field}
        label={t(way)}
        value={value}
        onChange={(event) => type(event.currentTarget.value)}
        data-autofocus
        {...WAYS[way].input}
      />
      {hasSecondFactor && (
        <Group gap="md">
          <Anchor component="button" type="button" fz="sm" onClick={() => choose(way === 'code' ? 'recovery' : 'code')}>
            {t(way === 'code' ? 'useRecovery' : 'useCode')}
          </Anchor>
          <Anchor component="button" type="button" fz="sm" onClick={withPasskey}>
            {t('usePasskey')}
          </Anchor>
        </Group>
      )}
    </FormDialog>
  );
}

/** The action, the amount, how often, and who receives it. */
function Summary({ request }: { request: ApprovalRequest }) {
  const t = useTranslations('panel.shell.confirm');
  const repeatText = useRepeatText();
  const { action, reais, subject, repeat } = approvalOf(request);
  if (action === null) return null;
  return (
    <Box component="section" p={12} bg="var(--sunken)" bdrs={8} aria-label={t('approving')}>
      <Muted fz="xs">{t('approving')}</Muted>
      <Text fw={600}>{t(`actions.${action}`)}</Text>
      {reais !== null && <Amount reais={reais} size="lg" />}
      {repeat && <Text fz="sm">{repeatText(repeat)}</Text>}
      {subject !== null && (
        <Text component="div" fz="sm" style={{ overflowWrap: 'anywhere' }}>
          {action === 'sendCrypto' ? <WalletText wallet={subject} /> : subject}
        </Text>
      )}
    </Box>
  );
}
