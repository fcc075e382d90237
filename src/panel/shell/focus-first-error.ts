/**
 * Moves the focus to the first field of a page that has an error; `otherwise` is the field where
 * none of them has an input.
 */
export function focusFirstError(
  inputOf: (field: string) => HTMLElement | null,
  errors: object,
  otherwise: string,
): void {
  const inputs = Object.keys(errors).flatMap((field) => inputOf(field) ?? []);
  // As they stand on the page: the order in which fields are checked is another one.
  inputs.sort((one, other) => (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1));
  (inputs[0] ?? inputOf(otherwise))?.focus();
}
