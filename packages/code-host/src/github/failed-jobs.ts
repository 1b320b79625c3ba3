import type { BuildAnnotation, BuildCheck, FailedJob } from '@sluice/core/code-host';
import { AppError } from '@sluice/core/error';
import type { HostResolver } from '@sluice/core/network';
import { shortened, storableText, withoutControlSequences, withoutSecrets } from '@sluice/core/text';
import { z } from 'zod';
import { type RepoName, repoName } from '../client/host-address.ts';
import type { HostSession } from '../client/host-session.ts';
import { readLogTail } from '../client/log-tail.ts';

// A coder reads the first few failures; the others mostly have the same cause.
const MAX_JOBS = 10;
const MAX_LOGS = 5;
const MAX_ANNOTATIONS = 20;
const MAX_TEXT_LENGTH = 2_000; // characters of a message
const MAX_REPORT_LENGTH = 8_000; // a page or two of Markdown

const levels = { notice: 'notice', warning: 'warning', failure: 'failure' } as const;
const annotationSchema = z.object({
  path: z.string(),
  start_line: z.number().int(),
  end_line: z.number().int(),
  annotation_level: z.enum(levels).nullish().catch(null),
  title: z.string().nullish(),
  message: z.string().nullish(),
});

const checkSchema = z.object({
  output: z
    .object({ summary: z.string().nullish(), text: z.string().nullish(), annotations_count: z.number().int() })
    .nullish(),
});

/** Why checks failed. What cannot be read of one, because it has expired or is another app's, is left out. */
export async function readFailedJobs(
  host: HostSession,
  fullName: string,
  of: { readonly checks: readonly BuildCheck[]; readonly hosts: HostResolver; readonly logMs: number },
): Promise<readonly FailedJob[]> {
  const repo = repoName(fullName);
  const checks = of.checks.slice(0, MAX_JOBS);
  const logged = new Set(checks.filter(hasLog).slice(0, MAX_LOGS));
  return await Promise.all(
    checks.map(async (check): Promise<FailedJob> => {
      const logMs = logged.has(check) ? of.logMs : null;
      const [details, log] = await Promise.all([
        readCheck(host, repo, check),
        readLog(host, repo, { check, hosts: of.hosts, logMs }),
      ]);
      return { check, ...details, log };
    }),
  );
}

/** Only jobs of workflows have a log at the host, under the number of their check. */
function hasLog({ source, partOf }: BuildCheck): boolean {
  return source === 'check' && partOf !== null;
}

function idOf(check: BuildCheck): number {
  return Number(check.id.split('-').at(-1));
}

async function readCheck(host: HostSession, repo: RepoName, check: BuildCheck) {
  if (check.source !== 'check') return { report: check.summary, annotations: [] };
  const route = 'GET /repos/{owner}/{repo}/check-runs/{check_run_id}';
  const parameters = { ...repo, check_run_id: idOf(check) };
  const found = await ifThere(() => host.send({ route, parameters, schema: checkSchema }));
  const { summary, text, annotations_count: count = 0 } = found?.data.output ?? {};
  const report = plain([summary, text].filter((part) => part != null).join('\n\n'), MAX_REPORT_LENGTH);
  const listed =
    count === 0
      ? null
      : await ifThere(() =>
          host.send({
            route: `${route}/annotations`,
            parameters: { ...parameters, per_page: MAX_ANNOTATIONS },
            schema: z.array(annotationSchema),
          }),
        );
  return { report: report === '' ? null : report, annotations: (listed?.data ?? []).map(annotation) };
}

function annotation(one: z.output<typeof annotationSchema>): BuildAnnotation {
  const title = plain(one.title ?? '', MAX_TEXT_LENGTH);
  return {
    path: plain(one.path, MAX_TEXT_LENGTH),
    startLine: one.start_line,
    endLine: one.end_line,
    level: one.annotation_level ?? 'failure',
    title: title === '' ? null : title,
    message: plain(one.message ?? '', MAX_TEXT_LENGTH),
  };
}

async function readLog(
  host: HostSession,
  repo: RepoName,
  { check, hosts, logMs }: { readonly check: BuildCheck; readonly hosts: HostResolver; readonly logMs: number | null },
): Promise<FailedJob['log']> {
  if (logMs === null) return null;
  const route = 'GET /repos/{owner}/{repo}/actions/jobs/{job_id}/logs';
  const url = await ifThere(() => host.locate({ route, parameters: { ...repo, job_id: idOf(check) } }));
  if (url === null) return null;
  const signal = AbortSignal.any([host.signal, AbortSignal.timeout(logMs)]);
  const found = await readLogTail({ url, host: host.address, hosts, signal });
  host.signal.throwIfAborted();
  if (found === null) return null;
  const text = new TextDecoder().decode(found.bytes);
  // The first line may be cut.
  const lines = found.truncated ? text.slice(text.indexOf('\n') + 1) : text;
  return { tail: plain(lines, lines.length), truncated: found.truncated };
}

/** Others' text as text alone: without escapes, control characters, and what looks like a secret. */
function plain(text: string, limit: number): string {
  const escaped = withoutControlSequences(shortened(text, limit)).replace(/\r\n?/g, '\n');
  return withoutSecrets(storableText(escaped.replaceAll(/[^\P{Cc}\n\t]/gu, ''))).trim();
}

async function ifThere<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof AppError && isAbsent.has(error.code)) return null;
    throw error;
  }
}

const isAbsent: ReadonlySet<string> = new Set(['codehost_forbidden', 'codehost_not_found', 'codehost_refused']);
