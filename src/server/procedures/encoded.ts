import { z } from 'zod';

/**
 * A schema of the contract as the parser of an answer: a procedure returns the domain's values
 * (bigint centavos, dates), callers get the wire's. tRPC would decode a schema that is given to it
 * as it is.
 */
export function encoded<S extends z.ZodType>(schema: S): Encoded<S> {
  return { schema, parse: (value) => z.encode(schema, value as z.output<S>) } as Encoded<S>;
}

export type Encoded<S extends z.ZodType = z.ZodType> = {
  /** For tRPC's types: what a procedure returns, and what its caller gets. */
  _input: z.output<S>;
  _output: z.input<S>;
  schema: S;
  parse(value: unknown): z.input<S>;
};
