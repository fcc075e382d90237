import { createTheme, type MantineColorsTuple } from '@mantine/core';

/** The one accent: what can be acted on. States have colours of their own, in tokens.css. */
const accent: MantineColorsTuple = [
  '#eef1ff',
  '#dbe1fd',
  '#b5c0f8',
  '#8b9cf3',
  '#687eee',
  '#5069e8',
  '#3f57dc',
  '#3247c2',
  '#2a3b9f',
  '#232f7d',
];

export const theme = createTheme({
  colors: { accent },
  primaryColor: 'accent',
  primaryShade: { light: 7, dark: 6 },
  defaultRadius: 'md',
  respectReducedMotion: true,
  components: {
    // An empty thing that takes the focus first: a screen reader would stop at it.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
  },
  cursorType: 'pointer',
});
