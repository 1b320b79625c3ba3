import { text } from '../input/text.ts';
import { isCommonPassword } from '../login/common-passwords.ts';

const MIN = 8;
const MAX = 128;

/** A password that somebody chooses. */
export const newPassword = text({ min: MIN, max: MAX })
  .refine(
    async (password) => !isOfLength(password) || !(await isCommonPassword(password)),
    'is among the most used passwords, or a variant of one: choose another',
  )
  .meta({ minLength: MIN, maxLength: MAX, format: 'password' });

/** Of another length it is refused for that alone, and is not looked through: it may be a megabyte. */
function isOfLength({ length }: string): boolean {
  return length >= MIN && length <= 2 * MAX; // a character is one unit or two
}

/** A password that somebody gives: whatever it is, it is compared. */
export const givenPassword = text({ min: 1, max: 1_024 }).meta({ format: 'password' });
