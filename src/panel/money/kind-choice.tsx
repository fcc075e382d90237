import { SegmentedControl } from '@mantine/core';

export type MoneyKind = 'pix' | 'crypto';

type Props = { label: string; names: Record<MoneyKind, string>; kind: MoneyKind; onChange: (kind: MoneyKind) => void };

/** PIX or crypto: the first choice of a charge and of a withdrawal. */
export function KindChoice({ label, names, kind, onChange }: Props) {
  return (
    <SegmentedControl
      aria-label={label}
      fullWidth
      value={kind}
      onChange={onChange}
      data={[
        { value: 'pix', label: names.pix },
        { value: 'crypto', label: names.crypto },
      ]}
    />
  );
}
