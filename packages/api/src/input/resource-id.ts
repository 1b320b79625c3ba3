import * as z from 'zod';

/** An `{id}` in a path. Not checked here: anything but a UUID names no resource and is a 404. */
export const resourceId = z
  .string()
  .max(200)
  .meta({ description: 'UUID', examples: ['0193a5b0-7c3e-7d4a-9f21-6b1f0c2d3e4f'] });

/** An id in a body or a query, where anything but a UUID is a 400. Ids are generated in lower case. */
export const idField = z
  .string()
  .regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'must be a UUID in lower case')
  .meta({ format: 'uuid', examples: ['0193a5b0-7c3e-7d4a-9f21-6b1f0c2d3e4f'] });
