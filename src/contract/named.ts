import type { z } from 'zod';

/** Where a shape's name stands in its JSON Schema, until the OpenAPI document moves it there. */
export const SCHEMA_NAME = 'x-schema-name';

/**
 * Names a shape in the OpenAPI document: clients that are generated from it have one type of this
 * name, wherever the shape is used. A name is the shape's own within the whole document, and is not
 * changed within a version. What is described or checked afterwards keeps its name.
 */
export const named = <T extends z.ZodType>(name: string, schema: T): T =>
  schema.meta({ ...schema.meta(), [SCHEMA_NAME]: name });

/** The name of a shape, to be put where zod's own JSON Schema is not used. */
export const nameOf = (schema: z.ZodType): Record<string, unknown> => {
  const name = schema.meta()?.[SCHEMA_NAME];
  return name === undefined ? {} : { [SCHEMA_NAME]: name };
};
