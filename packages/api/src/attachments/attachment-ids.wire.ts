import { MAX_ISSUE_ATTACHMENTS } from '@sluice/core/attachment';
import type { AttachmentId } from '@sluice/core/id';
import * as z from 'zod';
import { idField } from '../input/resource-id.ts';

/** The attachments that come with a text. */
export const attachmentIdsField = z
  .array(idField as unknown as z.ZodType<AttachmentId, string>)
  .max(MAX_ISSUE_ATTACHMENTS)
  .optional()
  .describe('Ids of attachments that you have uploaded and that no issue has used.');
