import { schemaResolver } from '@mantine/form';
import { readIssue } from '#contract/issues/issue-message.ts';
import type { Issue } from '#domain/errors/issues.ts';
import { fieldIssues } from './call-error.ts';
import { useIssueText } from './use-issue-text.ts';

type Schema = Parameters<typeof schemaResolver>[0];

type Rules<Values> = {
  /**
   * The schema of what the form sends, as the service has it. It comes with zod, and both are
   * loaded when the form is first changed: at once they would be more than a page may load
   * (e2e/panel/javascript-size.spec.ts). Use `loadPart`, which waits for a server that is away.
   */
  load: (values: Values) => Promise<Schema>;
  /** Returns what would be sent. */
  wire: (values: Values) => unknown;
  /** The form's fields by the paths of what is sent, where their names differ. */
  fields?: Record<string, string>;
  /** Returns issues that only the form has. */
  also?: (values: Values) => Record<string, Issue>;
  /** Returns texts of the form's own, which replace the schema's for the same field. */
  ownTexts?: (values: Values) => Record<string, string>;
};

/** Returns the `validate` of a form by the schema of what it sends, in the reader's language. */
export function useSchemaRules<Values>({ load, wire, fields = {}, also, ownTexts }: Rules<Values>) {
  const textOf = useIssueText();
  const textsOf = (issues: Record<string, Issue>) =>
    Object.fromEntries(Object.entries(issues).map(([field, issue]) => [field, textOf(issue)]));
  return {
    /** Begins to load the schema. */
    prepare: (values: Values): void => void load(values),
    async validate(values: Values): Promise<Record<string, string>> {
      const schema = await load(values);
      const own = ownTexts?.(values);
      // Spread first as well, because fields with own texts come first in the form.
      return { ...own, ...textsOf({ ...also?.(values), ...schemaIssues(schema, wire(values), fields) }), ...own };
    },
    /** Returns the issues that the service found, as the form's errors. */
    errorsOf: (error: unknown) =>
      textsOf(
        Object.fromEntries(Object.entries(fieldIssues(error)).map(([name, issue]) => [fields[name] ?? name, issue])),
      ),
  };
}

/** Returns the first issue of each field of what a form would send. */
export function schemaIssues(
  schema: Schema,
  wire: unknown,
  fields: Record<string, string> = {},
): Record<string, Issue> {
  const messages = schemaResolver(schema, { sync: true })(wire);
  const issues: Record<string, Issue> = {};
  for (const [path, message] of Object.entries(messages)) {
    // An issue of a part (`allowed_ips.2`) belongs to the input that holds them all.
    const [name = path] = path.split('.');
    issues[fields[name] ?? name] ??= readIssue(String(message));
  }
  return issues;
}
