import * as z from 'zod';

/**
 * A whole number: digits in a query, a number over tRPC, which is the type that callers see. Not zod's coercion, which would accept `true`, `null` and `''`.
 */
export function queryInteger({ min, max }: { min: number; max: number }): z.ZodType<number, number> {
  const inRange = z.int(`must be a whole number from ${min} to ${max}`).min(min).max(max);
  const schema = z
    .union(
      [
        z.int(),
        z
          .string()
          .regex(/^\d{1,15}$/)
          .transform(Number),
      ],
      `must be a whole number from ${min} to ${max}`,
    )
    .pipe(inRange)
    .meta({
      // The document shows the meaning and not the union.
      override: ({ jsonSchema }) => {
        delete jsonSchema.anyOf;
        Object.assign(jsonSchema, { type: 'integer', minimum: min, maximum: max });
      },
    });
  return schema as unknown as z.ZodType<number, number>;
}
