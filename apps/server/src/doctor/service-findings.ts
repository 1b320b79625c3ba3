import { askChroma, askMailServer, askPostgres, askRedis } from '../compose/ask-services.ts';
import type { Config } from '../config/parse-config.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

const MAIL = 'mail server';

type Services = Pick<Config, 'databaseUrl' | 'redisUrl' | 'chromaUrl' | 'dataDir'>;

/** Whether the configured Postgres, Redis and Chroma answer, asked as a server asks them. Changes nothing in them. */
export async function serviceFindings({ databaseUrl, redisUrl, chromaUrl, dataDir }: Services): Promise<Finding[]> {
  const findings = await Promise.all([
    databaseUrl === null ? null : postgresFinding(databaseUrl, dataDir),
    redisUrl === null
      ? null
      : answerFinding('Redis', 'REDIS_URL', { url: new URL(redisUrl), ask: () => askRedis(redisUrl) }),
    chromaUrl === null
      ? null
      : answerFinding('Chroma', 'CHROMA_URL', { url: chromaUrl, ask: () => askChroma(chromaUrl) }),
  ]);
  return findings.filter((finding) => finding !== null);
}

/** Whether the mail server answers and accepts the login. A server runs without it, so the others are looked at first. */
export async function mailFinding({ smtp }: Config['notifications']): Promise<Finding> {
  if (smtp === null) return ok(MAIL, 'none: notifications are sent to webhooks only (set SMTP_URL and SMTP_FROM)');
  return await answerFinding(MAIL, 'SMTP_URL', { url: new URL(smtp.url), ask: () => askMailServer(smtp.url) });
}

async function postgresFinding(url: string, dataDir: string): Promise<Finding> {
  const place = placeOf(new URL(url));
  try {
    const { version, pending } = await askPostgres(url, dataDir);
    const answers = `${place} answers (version ${version})`;
    if (pending.length === 0) return ok('Postgres', `${answers}; the database is up to date`);
    const detail = `${answers}; ${pending.length} ${pending.length === 1 ? 'migration is' : 'migrations are'} pending`;
    return warning('Postgres', detail, 'sluice migrate, or start a server: it migrates');
  } catch (error) {
    return failed('Postgres', 'DATABASE_URL', { place, error });
  }
}

async function answerFinding(
  subject: string,
  variable: string,
  { url, ask }: { readonly url: URL; readonly ask: () => Promise<void> },
): Promise<Finding> {
  const place = placeOf(url);
  try {
    await ask();
    return ok(subject, `${place} answers`);
  } catch (error) {
    return failed(subject, variable, { place, error });
  }
}

function failed(
  subject: string,
  variable: string,
  { place, error }: { readonly place: string; readonly error: unknown },
): Finding {
  const why =
    error instanceof Error ? error.message || ((error as NodeJS.ErrnoException).code ?? 'no reason') : String(error);
  const fix = `check that it runs and that this machine can reach it, or correct ${variable}`;
  return problem(subject, `${place} does not answer as it should (${why})`, fix);
}

/** Without the credentials. */
function placeOf({ protocol, host, pathname }: URL): string {
  return `${protocol}//${host}${pathname === '/' ? '' : pathname}`;
}
