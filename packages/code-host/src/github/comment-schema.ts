import { z } from 'zod';
import { hostAuthor, hostId, hostText } from './wire-values.ts';

/** The fields of every kind of comment. */
export const commentSchema = z.object({
  id: hostId,
  user: hostAuthor,
  author_association: z.string().optional(),
  body: hostText,
  html_url: z.string(),
});
