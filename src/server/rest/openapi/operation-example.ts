import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import type { ApiErrorCode } from '#domain/errors/error-catalogue.ts';
import type { FieldIssue } from '#domain/errors/issues.ts';
import type { restRouter } from '../../procedures/rest-router.ts';

type Inputs = inferRouterInputs<typeof restRouter>;
type Outputs = inferRouterOutputs<typeof restRouter>;

/**
 * One call and its answer. `idempotencyKey`: of a POST. `rejected`: by error code, an input that
 * the contract's schema rejects with that code.
 */
export type OperationExample<I = object, O = object> = {
  idempotencyKey?: string;
  input: I;
  output: O;
  rejected?: Partial<Record<ApiErrorCode, Record<string, unknown>>>;
  /** What the text of an error names here, where it is not what it names elsewhere. */
  params?: Partial<Record<ApiErrorCode, Record<string, string>>>;
  /** What an error says of fields that no schema rejects. */
  details?: Partial<Record<ApiErrorCode, FieldIssue[]>>;
};

/** An example of each operation, by namespace and procedure. */
export type OperationExamples = {
  [N in keyof Inputs]: { [P in keyof Inputs[N]]: OperationExample<Inputs[N][P], Outputs[N][P & keyof Outputs[N]]> };
};
