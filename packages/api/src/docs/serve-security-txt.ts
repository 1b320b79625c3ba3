import type { Clock } from '@sluice/core/async';
import { AppError } from '@sluice/core/error';
import { Router } from 'express';
import type { SecurityContact } from '../service/security-contact.ts';
import { nameRoute } from '../transport/http/route-name.ts';
import { sendTagged } from '../transport/http/send.ts';
import { onlyRead } from './only-read.ts';

/** The path from before it had a place below `/.well-known`, where some programs still look. */
const FORMER_PATH = '/security.txt';

/** Whether a request is for what `serveSecurityTxt` serves. */
export function isSecurityTxt(url: string): boolean {
  return url.startsWith(SECURITY_TXT_PATH) || url.startsWith(FORMER_PATH);
}

interface SecurityTxtContext {
  /** Null where the operator has set none: then there is no such page. */
  readonly contact: SecurityContact | null;
  readonly publicUrl: URL;
  readonly clock: Clock;
}

/** Serves `security.txt`. Needs no session: a person who finds a vulnerability may have no account. */
export function serveSecurityTxt({ contact, publicUrl, clock }: SecurityTxtContext): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get(SECURITY_TXT_PATH, async (req, res) => {
    nameRoute(res, SECURITY_TXT_PATH);
    const text = securityTxt(requireContact(contact), { publicUrl, now: clock.now() });
    await sendTagged({ req, res: res.set('Cache-Control', 'no-cache').type('text') }, text);
  });
  router.get(FORMER_PATH, (_req, res) => {
    nameRoute(res, FORMER_PATH);
    requireContact(contact);
    res.redirect(308, SECURITY_TXT_PATH.slice(1));
  });
  for (const path of [SECURITY_TXT_PATH, FORMER_PATH]) router.all(path, onlyRead);
  return router;
}

function requireContact(contact: SecurityContact | null): SecurityContact {
  if (contact !== null) return contact;
  throw new AppError('route_not_found', {
    detail: 'This server names no contact for reports of vulnerabilities. Its operator can set SECURITY_CONTACT.',
  });
}

const SECURITY_TXT_PATH = '/.well-known/security.txt';

const DAY_MS = 86_400_000;
const VALID_DAYS = 90; // RFC 9116 asks for less than a year: a copy of a server that is gone should soon be out of date

/**
 * The text of `security.txt` (RFC 9116). It expires a few months after the day on which it is read.
 *
 * @param publicUrl named as its place only under https, as the RFC asks of web addresses
 */
function securityTxt(
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
