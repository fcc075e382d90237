import { useTranslations } from 'next-intl';
import type { SandboxCommand } from '#domain/sandbox/sandbox-commands.ts';
import { api } from '#panel/api.tsx';
import { paramsOf, reasonOf, useErrorText } from '#panel/shell/call-error.ts';
import { useNotify } from '#panel/shell/use-notify.ts';

/** Sends a command to the sandbox, says what was done, and reads every open list again. */
export function useSandboxCommand() {
  const t = useTranslations('panel.sandbox.done');
  const { done, failed } = useNotify(useSandboxErrorText());
  const utils = api.useUtils();
  return api.sandbox.command.useMutation({
    onSuccess: (_subject, { command }) => done(t(command)),
    onError: failed,
    // Balances, lists and details may all have changed.
    onSettled: () => utils.invalidate(),
  });
}

/** Returns why the sandbox did not carry out a command. */
export function useSandboxErrorText(): (error: unknown) => string {
  const t = useTranslations('panel.sandbox.why');
  const textOf = useErrorText();
  return (error) => {
    const { why = '' } = paramsOf(error);
    return reasonOf(error) === 'invalid_state' && t.has(why as 'paid') ? t(why as 'paid') : textOf(error);
  };
}

/** Returns what is sent with a command that needs an amount or a share: half of it. */
export function inHalf(command: SandboxCommand, amount: number): { amount?: number; share_percent?: number } {
  // A charge of one cent has no half.
  if (command === 'pay_other') return { amount: Math.max(Math.floor((amount * 100) / 2), 1) / 100 };
  return command === 'pay_part' ? { share_percent: 50 } : {};
}
