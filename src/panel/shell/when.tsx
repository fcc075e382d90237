import { useFormats } from '#panel/use-formats.ts';

/** A moment in Brasília's time; the exact one is in the tooltip. */
export function When({ at, seconds = false }: { at: string; seconds?: boolean }) {
  const formats = useFormats();
  const exact = formats.instantExactly(at);
  return (
    <time dateTime={at} title={exact} style={{ whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' }}>
      {seconds ? exact : formats.instant(at)}
    </time>
  );
}
