import * as z from 'zod';

/** Whether an issue waits for a busy repository. Optional, so that a request without it has the hash that it always had. */
export const queueField = z
  .boolean()
  .optional()
  .describe('Wait while another issue is in progress on the same repository, instead of a 409.');
