import { Button, Checkbox, Popover, Stack } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { Icon } from '#panel/shell/icons.tsx';

/** Several of a set, behind a button that says which are chosen. */
export function ChoiceFilter<T extends string>(props: {
  label: string;
  options: readonly { value: T; label: string }[];
  chosen: readonly T[];
  onChange: (chosen: T[]) => void;
}) {
  const { label, options, chosen, onChange } = props;
  const first = options.find(({ value }) => value === chosen[0])?.label;
  const more = chosen.length > 1 ? ` +${chosen.length - 1}` : '';
  return (
    <Popover position="bottom-start" shadow="sm" trapFocus returnFocus>
      <Popover.Target>
        <FilterButton active={chosen.length > 0}>{first ? `${label}: ${first}${more}` : label}</FilterButton>
      </Popover.Target>
      <Popover.Dropdown>
        <Checkbox.Group
          label={label}
          value={[...chosen]}
          onChange={(values) => onChange(options.map(({ value }) => value).filter((value) => values.includes(value)))}
        >
          <Stack gap={8} mt={8}>
            {options.map(({ value, label: text }) => (
              <Checkbox key={value} size="sm" value={value} label={text} />
            ))}
          </Stack>
        </Checkbox.Group>
      </Popover.Dropdown>
    </Popover>
  );
}

/** The face of a filter: what it is about, and what it is set to. */
export function FilterButton({
  active,
  ...props
}: React.ComponentProps<typeof Button<'button'>> & { active: boolean }) {
  return (
    <Button
      {...props}
      size="xs"
      variant={active ? 'light' : 'default'}
      rightSection={<Icon of={IconChevronDown} size={12} />}
      maw="100%"
    />
  );
}
