import { useTranslations } from 'next-intl';
import type { WithdrawalPreviewData } from '#contract/withdrawals/withdrawal-preview.ts';
import { Notice } from '#panel/money/notice.tsx';
import { useFormats } from '#panel/use-formats.ts';
import type { Draft } from './draft.ts';
import { isHeldNow } from './schedule.ts';

type Props = { data: WithdrawalPreviewData; draft: Draft; amount: number | null };

/** Says in advance that a withdrawal of this amount will wait for a second person. */
export function ApprovalNote({ data, draft, amount }: Props) {
  const t = useTranslations('panel.withdraw');
  const { reais } = useFormats();
  const { approval_above: above } = data;
  if (above === null || amount === null || amount <= above) return null;
  return (
    <Notice role="status">
      {t(isHeldNow(draft) ? 'needsApproval' : 'needsApprovalScheduled', { amount: reais(above) })}
    </Notice>
  );
}
