/**
 * Puts the field's text on the clipboard. Where the clipboard API is missing (a page served by plain http) or refuses,
 * the text is selected and the old command tried; `selected` means that the reader has to press copy himself.
 */
export async function copyText(field: HTMLInputElement): Promise<'copied' | 'selected'> {
  try {
    await navigator.clipboard.writeText(field.value);
    return 'copied';
  } catch {
    return copySelection(field);
  }
}

function copySelection(field: HTMLInputElement): 'copied' | 'selected' {
  const before = document.activeElement;
  field.focus();
  field.setSelectionRange(0, field.value.length);
  if (!document.execCommand('copy')) return 'selected';
  if (before instanceof HTMLElement) before.focus();
  return 'copied';
}
