import { dictionary } from '@zxcvbn-ts/language-common';

// Words missing from the dictionary that people append digits to, among them the name of this service.
const further = [
  'abcd',
  'contraseña',
  'correcthorse',
  'fortnite',
  'i love you',
  'instagram',
  'jonasbrothers',
  'linkedin',
  'onedirection',
  'qwertz',
  'sluice',
  'superuser',
  'toor',
  'woaini',
];

/**
 * The most common passwords, in lower case: zxcvbn's dictionary of 49,000, of which 18,000 are long enough to be chosen
 * here. A module by itself, imported when the first password is chosen, because loading it takes 30 ms.
 */
export const commonPasswords: ReadonlySet<string> = new Set([...dictionary['passwords-common'], ...further]);
