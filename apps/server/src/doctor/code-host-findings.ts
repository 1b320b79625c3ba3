import type { CodeHostSettings } from '../config/code-host-settings.ts';
import { type Finding, ok, problem, warning } from './finding.ts';
import { whyUnreachable } from './reach-address.ts';

const SUBJECT = 'code host';
const MIN_SECRET_LENGTH = 16; // one intercepted delivery is enough to guess a shorter one offline

/** Whether a code host is configured, reachable, and reports changes. The OAuth app's secret is not tried. */
export async function codeHostFindings(settings: CodeHostSettings | null): Promise<Finding[]> {
  if (settings === null) {
    const detail = 'none: no sign-in with a code host and no pull requests (set CODEHOST_CLIENT_ID)';
    return [ok(SUBJECT, detail)];
  }
  const addresses = [...new Set([settings.url, settings.apiUrl])];
  return [...(await Promise.all(addresses.map(reachFinding))), changesFinding(settings)];
}

async function reachFinding(address: string): Promise<Finding> {
  const why = await whyUnreachable(address);
  if (why === null) return ok(SUBJECT, `${address} answers`);
  const fix = 'check that this machine can reach it, or correct CODEHOST_URL and CODEHOST_API_URL';
  return problem(SUBJECT, `${address} does not answer (${why})`, fix);
}

/** How Sluice learns of comments and merges. */
function changesFinding({ webhookSecret, pollMs }: CodeHostSettings): Finding {
  const polled = pollMs === 0 ? 'not polled' : `polled every ${pollMs / 1_000} s`;
  if (webhookSecret === null && pollMs === 0) {
    const detail =
      'neither webhook deliveries (CODEHOST_WEBHOOK_SECRET) nor polling (CODEHOST_POLL): changes there are not noticed';
    return warning(SUBJECT, detail, 'set one of the two');
  }
  if (webhookSecret !== null && webhookSecret.length < MIN_SECRET_LENGTH) {
    const fix = `set a secret of at least ${MIN_SECRET_LENGTH} characters on both sides; generate one with "openssl rand -hex 32"`;
    return warning(SUBJECT, 'the secret of webhook deliveries is short enough to be guessed', fix);
  }
  return ok(SUBJECT, `${webhookSecret === null ? 'no webhook deliveries' : 'signed webhook deliveries'}, ${polled}`);
}
