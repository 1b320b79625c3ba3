import type { SecurityContact } from '../service/security-contact.ts';

export const SECURITY_TXT_PATH = '/.well-known/security.txt';

const DAY_MS = 86_400_000;
const VALID_DAYS = 90; // RFC 9116 asks for less than a year: a copy of a server that is gone should soon be out of date

/**
 * The text of `security.txt` (RFC 9116). It expires a few months after the day on which it is read.
 *
 * @param publicUrl named as its place only under https, as the RFC asks of web addresses
 */
export function securityTxt(
  { contacts, policy, languages }: SecurityContact,
  { publicUrl, now }: { readonly publicUrl: URL; readonly now: Date },
): string {
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS; // the same text, and so the same tag, for a day
  const fields: [name: string, value: string][] = [
    ...contacts.map((contact): [string, string] => ['Contact', contact]),
    ['Expires', new Date(today + VALID_DAYS * DAY_MS).toISOString().replace('.000Z', 'Z')],
    ['Preferred-Languages', languages.join(', ')],
  ];
  if (publicUrl.protocol === 'https:') fields.push(['Canonical', new URL(SECURITY_TXT_PATH, publicUrl).href]);
  if (policy !== null) fields.push(['Policy', policy]);
  return fields.map(([name, value]) => `${name}: ${value}\n`).join('');
}
