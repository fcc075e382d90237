import { createTheme, type MantineColorsTuple } from '@mantine/core';
import { LoadableButton } from './loadable-button.tsx';

/**
 * The only accent colour: for what can be acted on, and where one is. States have colours of their
 * own, in base.css.
 */
const accent: MantineColorsTuple = [
  '#eef2ff',
  '#dde4ff',
  '#b8c6ff',
  '#8fa4fb',
  '#6a84f4',
  '#4d69ea',
  '#3b57dd',
  '#2743c9',
  '#1f349e',
  '#182878',
];

export const theme = createTheme({
  colors: { accent },
  primaryColor: 'accent',
  primaryShade: { light: 7, dark: 6 },
  defaultRadius: 'md',
  respectReducedMotion: true,
  components: {
    Button: { defaultProps: { component: LoadableButton } },
    ActionIcon: { defaultProps: { component: LoadableButton } },
    // Its arrow is a picture without a name, which a screen reader would stop at.
    NativeSelect: { defaultProps: { rightSectionProps: { 'aria-hidden': true } } },
    // Fields are required unless their labels say otherwise.
    InputWrapper: { defaultProps: { withAsterisk: false } },
    // An empty element that takes the focus first: a screen reader would stop at it.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
  },
  cursorType: 'pointer',
});
