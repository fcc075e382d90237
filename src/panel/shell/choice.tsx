import { SegmentedControl, type SegmentedControlProps, Text } from '@mantine/core';
import { useId } from 'react';

type Props<Value extends string> = SegmentedControlProps<Value> & { label: string };

/** One of a few options, all of them visible, under a label. */
export function Choice<Value extends string>({ label, ...props }: Props<Value>) {
  const id = useId();
  return (
    <div>
      <Text fz="sm" fw={600} mb={4} id={id}>
        {label}
      </Text>
      <SegmentedControl aria-labelledby={id} {...props} />
    </div>
  );
}
