import * as z from 'zod';
import { text } from '../../input/text.ts';

const MAX_EMAIL = 254; // RFC 5321's path of 256 without its brackets

/** A new e-mail address. Addresses are stored and compared in lower case, without surrounding space. */
export const newEmail = text({ min: 3, max: MAX_EMAIL, line: true })
  .transform((value) => value.trim().toLowerCase())
  .pipe(z.email('must be an e-mail address, such as ada@example.com').max(MAX_EMAIL))
  .meta({ override: { type: 'string', format: 'email', maxLength: MAX_EMAIL }, examples: ['ada@example.com'] });

/** The e-mail of a login: any text, compared in the same form. A malformed one is answered like an unknown one. */
export const givenEmail = text({ min: 1, max: MAX_EMAIL, line: true })
  .transform((value) => value.trim().toLowerCase())
  .meta({ override: { type: 'string', maxLength: MAX_EMAIL }, examples: ['ada@example.com'] });
