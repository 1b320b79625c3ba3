import type { InstallationSurvey } from '../compose/admin-storage.ts';
import type { CodeHostSettings } from '../config/code-host-settings.ts';
import { type Finding, ok, problem, warning } from './finding.ts';
import { whyUnreachable } from './reach-address.ts';

const SUBJECT = 'code host';
/** Further ones are counted. */
const MAX_NAMED = 5;
const MIN_SECRET_LENGTH = 16; // one intercepted delivery is enough to guess a shorter one offline

/**
 * Whether a code host is configured, reachable, reports changes, and has the registered repositories. The OAuth app's secret
 * is not tried.
 *
 * @param found null if unknown
 */
export async function codeHostFindings(
  settings: CodeHostSettings | null,
  found: Pick<InstallationSurvey, 'misplaced'> | null,
): Promise<Finding[]> {
  if (settings === null) {
    const detail = 'none: no sign-in with a code host and no pull requests (set CODEHOST_CLIENT_ID)';
    return [ok(SUBJECT, detail)];
  }
  const addresses = [...new Set([settings.url, settings.apiUrl])];
  const reach = await Promise.all(addresses.map(reachFinding));
  return [...reach, changesFinding(settings), ...misplacedFindings(settings, found?.misplaced ?? [])];
}

function misplacedFindings({ url }: CodeHostSettings, misplaced: InstallationSurvey['misplaced']): Finding[] {
  if (misplaced.length === 0) return [];
  const named = misplaced.slice(0, MAX_NAMED).map((repo) => `${repo.name} (${repo.id}, ${repo.url})`);
  const more = misplaced.length > MAX_NAMED ? ` and ${misplaced.length - MAX_NAMED} more` : '';
  const detail = `not an owner and a name below ${url}, so the code host is not asked about them: ${named.join(', ')}${more}`;
  const fix =
    'register each by its URL in place of the code host, and remove this registration; if CODEHOST_URL had another path when they were registered, set it back';
  return [warning(SUBJECT, detail, fix)];
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
