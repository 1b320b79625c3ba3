import { dictionary } from '@zxcvbn-ts/language-common';

// Words that the list lacks as such and that people put a few digits behind, among them what this service suggests.
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
 * The most used passwords, in lower case: the list that the estimator zxcvbn publishes, some 49,000, of which some 18,000
 * are long enough to be chosen here. Imported where a password is chosen and not before: it takes some 30 ms.
 */
export const commonPasswords: ReadonlySet<string> = new Set([...dictionary['passwords-common'], ...further]);
