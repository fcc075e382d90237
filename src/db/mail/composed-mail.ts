/** A message as it is kept until it is sent; `recipient` is masked, for the log. */
export type ComposedMail = { id: string; sealed: string; template: string; recipient: string };
