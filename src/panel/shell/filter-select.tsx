import { NativeSelect, type NativeSelectProps } from '@mantine/core';

type Props<Value extends string> = Pick<NativeSelectProps, 'label' | 'aria-label' | 'size'> & {
  /** The option that leaves nothing out. */
  any: string;
  options: readonly { value: Value; label: string }[];
  value: Value | null;
  onChange: (value: Value | null) => void;
};

/** A select that narrows a list to one of several options, or not at all. */
export const FilterSelect = <Value extends string>({ any, options, value, onChange, ...input }: Props<Value>) => (
  <NativeSelect
    size="xs"
    miw={0}
    {...input}
    value={value ?? ''}
    onChange={({ currentTarget }) => onChange(options.find((one) => one.value === currentTarget.value)?.value ?? null)}
    data={[{ value: '', label: any }, ...options]}
  />
);
