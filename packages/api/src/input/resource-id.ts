import * as z from 'zod';

/** An `{id}` in a path. What is no UUID names no resource and is a 404, so its shape is not checked here. */
export const resourceId = z
  .string()
  .max(200)
  .meta({ description: 'UUID', examples: ['0193a5b0-7c3e-7d4a-9f21-6b1f0c2d3e4f'] });

/** An id in a body or a query, where a wrong shape is a 400. Lower case, as ids are made. */
export const idField = z
  .string()
  .regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'must be a UUID in lower case')
  .meta({ format: 'uuid', examples: ['0193a5b0-7c3e-7d4a-9f21-6b1f0c2d3e4f'] });
