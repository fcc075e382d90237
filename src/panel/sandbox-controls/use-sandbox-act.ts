'use client';

import { notifications } from '@mantine/notifications';
import { useTranslations } from 'next-intl';
import type { SandboxAct } from '#domain/sandbox/sandbox-acts.ts';
import { api } from '#panel/api.tsx';
import { factsOf, reasonOf, useFaultText } from '#panel/shell/faults.ts';

/** Makes something happen to a transaction in the sandbox, says what came of it, and lets every open list look again. */
export function useSandboxAct() {
  const t = useTranslations('panel.sandbox.done');
  const faultText = useSandboxFault();
  const utils = api.useUtils();
  return api.sandbox.act.useMutation({
    onSuccess: (_subject, { act }) => {
      notifications.show({ message: t(act), color: 'green' });
    },
    onError: (error) => {
      notifications.show({ message: faultText(error), color: 'red' });
    },
    // Balances, lists and details may all have changed.
    onSettled: () => utils.invalidate(),
  });
}

/** What to say when the sandbox did not do it. */
export function useSandboxFault(): (error: unknown) => string {
  const t = useTranslations('panel.sandbox.why');
  const textOf = useFaultText();
  return (error) => {
    const { why = '' } = factsOf(error);
    return reasonOf(error) === 'not_now' && t.has(why as 'paid') ? t(why as 'paid') : textOf(error);
  };
}

/** What the bar and the buttons send with an act; half of it, where an act needs to know how much. */
export function inHalf(act: SandboxAct, amount: number): { amount?: number; share_percent?: number } {
  // A charge of one cent has no half.
  if (act === 'pay_other') return { amount: Math.max(Math.floor((amount * 100) / 2), 1) / 100 };
  return act === 'pay_part' ? { share_percent: 50 } : {};
}
