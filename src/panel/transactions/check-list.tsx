import { Checkbox, Stack } from '@mantine/core';

type Option<T> = { value: T; label: string; disabled?: boolean };

/** Checkboxes for several of a set; what is chosen comes in the order of the set. */
export function CheckList<T extends string>(props: {
  label: string;
  options: readonly Option<T>[];
  chosen: readonly T[];
  onChange: (chosen: T[]) => void;
}) {
  const { label, options, chosen, onChange } = props;
  const inOrder = (values: string[]) => options.map(({ value }) => value).filter((value) => values.includes(value));
  return (
    <Checkbox.Group label={label} value={[...chosen]} onChange={(values) => onChange(inOrder(values))}>
      <Stack gap={8} mt={8}>
        {options.map((option) => (
          <Checkbox key={option.value} size="sm" {...option} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}
