import * as z from 'zod';

/** What a person is asked, while he is asked. */
export const gateSchema = z.object({
  kind: z.enum(['plan', 'publish']),
  revision: z.int(),
  requested_at: z.iso.datetime(),
  expires_at: z.iso.datetime().nullable(),
  reasons: z.array(z.string()),
});
export type Gate = z.infer<typeof gateSchema>;
