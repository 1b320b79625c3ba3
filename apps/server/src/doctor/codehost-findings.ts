import type { CodeHostSettings } from '../config/codehost-settings.ts';
import { type Finding, ok, problem, warning } from './finding.ts';
import { whyUnreachable } from './reach-address.ts';

const SUBJECT = 'code host';
const SHORTEST_SECRET = 16; // whoever sees one delivery can try secrets at home

/** Whether there is a code host, answers, and tells of what happens there. The application's secret is not tried. */
export async function codehostFindings(settings: CodeHostSettings | null): Promise<Finding[]> {
  if (settings === null) {
    const detail = 'none: nobody signs in there, and no pull requests are opened (CODEHOST_CLIENT_ID names one)';
    return [ok(SUBJECT, detail)];
  }
  const addresses = [...new Set([settings.url, settings.apiUrl])];
  return [...(await Promise.all(addresses.map(reachFinding))), newsFinding(settings)];
}

async function reachFinding(address: string): Promise<Finding> {
  const why = await whyUnreachable(address);
  if (why === null) return ok(SUBJECT, `${address} answers`);
  const mend = 'see that this machine may reach it, or correct CODEHOST_URL and CODEHOST_API_URL';
  return problem(SUBJECT, `${address} does not answer (${why})`, mend);
}

/** How Sluice hears of comments and merges. */
function newsFinding({ webhookSecret, pollMs }: CodeHostSettings): Finding {
  const polled = pollMs === 0 ? 'not polled' : `polled every ${pollMs / 1_000} s`;
  if (webhookSecret === null && pollMs === 0) {
    const detail =
      'neither deliveries (CODEHOST_WEBHOOK_SECRET) nor polls (CODEHOST_POLL): what happens there is not seen';
    return warning(SUBJECT, detail, 'set one of the two');
  }
  if (webhookSecret !== null && webhookSecret.length < SHORTEST_SECRET) {
    const mend = `give both sides a secret of ${SHORTEST_SECRET} characters or more, such as "openssl rand -hex 32" prints`;
    return warning(SUBJECT, 'the secret that deliveries are signed with can be guessed', mend);
  }
  return ok(SUBJECT, `${webhookSecret === null ? 'no signed deliveries' : 'signed deliveries are taken'}, ${polled}`);
}
