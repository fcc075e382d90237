import { schemaResolver } from '@mantine/form';
import { readIssue } from '#contract/issues/issue-message.ts';
import type { Issue } from '#domain/errors/issues.ts';
import { fieldIssues } from './call-error.ts';
import { useIssueText } from './use-issue-text.ts';

type Schema = Parameters<typeof schemaResolver>[0];

type Rules<Values> = {
  /**
   * The schema of what the form sends, as the service has it. It comes with zod, and the two are
   * loaded when the form is first changed: at once they would be more than a page may load
   * (e2e/panel/javascript-size.spec.ts). By `loadPart`, which waits for a server that is away.
   */
  load: (values: Values) => Promise<Schema>;
  /** What would be sent. */
  wire: (values: Values) => unknown;
  /** The form's field for a path of what is sent; its own where it does not say. */
  fields?: Record<string, string>;
  /** What only the form asks for. */
  also?: (values: Values) => Record<string, Issue>;
  /** What the form says in its own words, whatever the schema says of the same field. */
  ownTexts?: (values: Values) => Record<string, string>;
};

/** `validate` of a form by the schema of what it sends, in the reader's language. */
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
      // What is in its own words comes first in the form.
      return { ...own, ...textsOf({ ...also?.(values), ...schemaIssues(schema, wire(values), fields) }), ...own };
    },
    /** What the service found wrong, as the form's errors. */
    errorsOf: (error: unknown) =>
      textsOf(
        Object.fromEntries(Object.entries(fieldIssues(error)).map(([name, issue]) => [fields[name] ?? name, issue])),
      ),
  };
}

/** The first issue of each field of what a form would send. */
export function schemaIssues(
  schema: Schema,
  wire: unknown,
  fields: Record<string, string> = {},
): Record<string, Issue> {
  const messages = schemaResolver(schema, { sync: true })(wire);
  const issues: Record<string, Issue> = {};
  for (const [path, message] of Object.entries(messages)) {
    // An issue of a part (`allowed_ips.2`) is one of the input that holds them all.
    const [name = path] = path.split('.');
    issues[fields[name] ?? name] ??= readIssue(String(message));
  }
  return issues;
}
