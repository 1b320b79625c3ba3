import * as z from 'zod';

/**
 * A whole number that comes as digits in a query and as a number over tRPC. It is not coerced: that would
 * make `true`, `null` and `''` numbers too.
 */
export function queryInteger({ min, max }: { min: number; max: number }) {
  const inRange = z.int(`must be a whole number from ${min} to ${max}`).min(min).max(max);
  return z
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
      // In the document it is what it means; the union would be merged into it otherwise.
      override: ({ jsonSchema }) => {
        delete jsonSchema.anyOf;
        Object.assign(jsonSchema, { type: 'integer', minimum: min, maximum: max });
      },
    });
}
