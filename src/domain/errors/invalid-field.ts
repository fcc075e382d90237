import { DomainError } from './domain-error.ts';
import type { FieldIssue } from './issues.ts';

/** Returns the error of an input that is wrong in one field. */
export const invalidField = (issue: FieldIssue): DomainError => new DomainError('invalid_input', { details: [issue] });
