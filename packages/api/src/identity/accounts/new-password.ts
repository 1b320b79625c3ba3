import { text } from '../../input/text.ts';
import { isCommonPassword } from '../login/common-passwords.ts';

const MIN = 8;
const MAX = 128;

/** A password that a user chooses. */
export const newPassword = text({ min: MIN, max: MAX })
  .refine(
    async (password) => !isOfLength(password) || !(await isCommonPassword(password)),
    'is one of the most common passwords or a variant of one: choose another',
  )
  .meta({ minLength: MIN, maxLength: MAX, format: 'password' });

/** Another length is refused by itself, so that a megabyte is not looked up. */
function isOfLength({ length }: string): boolean {
  return length >= MIN && length <= 2 * MAX; // a character is one or two code units
}

/** A password to compare: any text. */
export const givenPassword = text({ min: 1, max: 1_024 }).meta({ format: 'password' });
