import { text } from '../input/text.ts';
import { isCommonPassword } from './common-passwords.ts';

/** A password that somebody chooses. */
export const newPassword = text({ min: 8, max: 128 })
  .refine((password) => !isCommonPassword(password), 'is among the most used passwords: choose another')
  .meta({ minLength: 8, maxLength: 128, format: 'password' });

/** A password that somebody gives: whatever it is, it is compared. */
export const givenPassword = text({ min: 1, max: 1_024 }).meta({ format: 'password' });
