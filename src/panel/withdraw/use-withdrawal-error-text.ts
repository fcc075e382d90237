import { useTranslations } from 'next-intl';
import type { WithdrawalErrorCode, WithdrawalPreviewData } from '#contract/withdrawals/withdrawal-preview.ts';
import { useFormats } from '../use-formats.ts';

/** Why a withdrawal would be rejected, with the figures that show it. */
export function useWithdrawalErrorText(): (code: WithdrawalErrorCode, preview: WithdrawalPreviewData) => string {
  const t = useTranslations('panel.withdraw.errors');
  const errors = useTranslations('errors');
  const formats = useFormats();
  return (code, preview) => {
    const reais = (value: number | null) => formats.reais(value ?? 0);
    const limit = preview.limits.find(({ name }) => name === (code === 'night_limit_reached' ? 'night' : 'daily'));
    const until = (instant: string | null | undefined) => (instant ? formats.instant(instant) : '');
    switch (code) {
      case 'insufficient_funds':
        return t('insufficient_funds', {
          missing: reais(Math.abs(preview.remaining ?? 0)),
          total: reais(preview.total),
          available: reais(preview.available),
        });
      case 'below_minimum':
        return preview.received === 0 ? t('nothing_left') : t('below_minimum', { minimum: reais(preview.minimum) });
      case 'above_maximum':
        return t('above_maximum', { maximum: reais(preview.maximum) });
      case 'daily_limit_reached':
      case 'night_limit_reached':
        return t(code, { left: reais(limit?.left ?? 0), until: until(limit?.ends_at) });
      case 'withdrawals_paused':
        return t('withdrawals_paused', { until: until(preview.paused_until) });
      default:
        return errors.has(code as 'internal') ? errors(code as 'internal') : errors('internal');
    }
  };
}
