/** Every text of a catalogue by its path, e.g. `panel.keys.form.cancel`. For tests. */
export function textsOf(node: object, path = ''): Map<string, string> {
  return new Map(
    Object.entries(node).flatMap(([key, value]) => {
      const here = path ? `${path}.${key}` : key;
      return typeof value === 'string' ? [[here, value] as const] : [...textsOf(value, here)];
    }),
  );
}
