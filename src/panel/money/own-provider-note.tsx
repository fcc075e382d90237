import { useTranslations } from 'next-intl';
import { Muted } from '#panel/shell/muted.tsx';
import { useFormats } from '#panel/use-formats.ts';

/** How much of the balance the provider of the account's own credentials has. */
export function OwnProviderNote({ reais }: { reais: number }) {
  const t = useTranslations('panel.moneyForm');
  const formats = useFormats();
  return reais > 0 ? <Muted fz="xs">{t('atOwnProvider', { amount: formats.reais(reais) })}</Muted> : null;
}
