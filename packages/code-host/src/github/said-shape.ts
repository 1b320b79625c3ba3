import { z } from 'zod';
import { hostAuthor, hostId, hostText } from './wire-values.ts';

/** What every kind of comment has. */
export const saidShape = z.object({
  id: hostId,
  user: hostAuthor,
  author_association: z.string().optional(),
  body: hostText,
  html_url: z.string(),
});
