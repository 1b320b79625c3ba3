import * as z from 'zod';
import { list, type ValuesOf, type Variable } from './variable.ts';

// RFC 9116 allows web addresses by https alone. What a browser's parser would drop or repair must not get into a line.
const isUri = (value: string, scheme: RegExp) =>
  /^[\x21-\x7e]+$/.test(value) && URL.canParse(value) && scheme.test(new URL(value).protocol);

const contact = z
  .string()
  .refine((value) => isUri(value, /^(?:mailto|https|tel):$/), 'is not a list of mailto:, https: or tel: addresses');
const languageTag = z.string().regex(/^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$/, 'is not a list of language tags');

/** What `/.well-known/security.txt` says. */
export const securityVariables = {
  SECURITY_CONTACT: {
    meaning:
      'Whom to tell of a vulnerability of this installation: mailto:, https: or tel: addresses, comma-separated, the preferred one first. Served at /.well-known/security.txt.',
    unset: 'none, and that page is a 404',
    example: 'mailto:security@example.com',
    schema: list.pipe(z.array(contact).min(1, 'is empty')),
  },
  SECURITY_POLICY: {
    meaning: 'https URL of your policy for reports of vulnerabilities, for the same page.',
    unset: 'none',
    example: 'https://example.com/security-policy',
    schema: z.string().refine((value) => isUri(value, /^https:$/), 'is not an https:// URL'),
  },
  SECURITY_LANGUAGES: {
    meaning: 'Languages in which such reports are read, for the same page: tags, comma-separated.',
    default: 'en',
    example: 'en, fr',
    schema: list.pipe(z.array(languageTag).min(1, 'is empty')),
  },
} as const satisfies Record<string, Variable>;

type Values = ValuesOf<typeof securityVariables>;

export function securityContact({ SECURITY_CONTACT, SECURITY_POLICY, SECURITY_LANGUAGES }: Values) {
  if (SECURITY_CONTACT === null) return null;
  return { contacts: SECURITY_CONTACT, policy: SECURITY_POLICY, languages: SECURITY_LANGUAGES };
}
