import { jsonAnswer, refuse } from '../http/answer.ts';
import type { HostCall, HostRoute } from '../http/host-call.ts';
import { cutPage, pageAnswer } from '../http/paging.ts';
import { countCommits, gitIn, tipOf } from '../state/bare-repository.ts';
import { commitsIn } from '../state/host-commit.ts';
import { type HostRepository, nameOf } from '../state/host-state.ts';
import { commitWire } from '../wire/wire-commit.ts';
import { reachPull, reachRepo } from './reach.ts';

export const commitRoutes: readonly HostRoute[] = [
  { route: 'GET /repos/:owner/:repo/branches/:branch', handle: getBranch },
  { route: 'GET /repos/:owner/:repo/rules/branches/:branch', handle: listRules },
  { route: 'GET /repos/:owner/:repo/commits', handle: listCommits },
  { route: 'GET /repos/:owner/:repo/compare/:basehead', handle: compare },
  { route: 'GET /repos/:owner/:repo/pulls/:number/commits', handle: listPullCommits },
];

async function getBranch(call: HostCall) {
  const repo = reachRepo(call);
  const name = call.params.branch ?? '';
  const tip = (await tipOf(repo, name)) ?? refuse(404, 'Branch not found');
  const [commit] = await commitsIn(repo, '-1', tip);
  if (commit === undefined) return refuse(404, 'Branch not found');
  const url = `${call.host.apiUrl}/repos/${nameOf(repo)}/branches/${encodeURIComponent(name)}`;
  const required = repo.builds.requirements.filter(({ branch, by }) => branch === name && by === 'protection');
  return jsonAnswer(200, {
    name,
    commit: commitWire(call.host, repo, commit),
    _links: { self: url, html: `${call.host.webUrl}/${nameOf(repo)}/tree/${name}` },
    protected: required.length > 0,
    protection: {
      enabled: required.length > 0,
      required_status_checks: {
        enforcement_level: required.length > 0 ? 'non_admins' : 'off',
        contexts: required.map(({ context }) => context),
        checks: required.map(({ context, app }) => ({ context, app_id: app?.id ?? null })),
      },
    },
    protection_url: `${url}/protection`,
  });
}

function listRules(call: HostCall) {
  const repo = reachRepo(call);
  const source = { ruleset_source_type: 'Repository', ruleset_source: nameOf(repo), ruleset_id: 1 };
  const of = repo.builds.requirements.filter(({ branch }) => branch === call.params.branch);
  const checks = of.filter(({ by }) => by === 'rules');
  const workflows = of.filter(({ by }) => by === 'workflow');
  const rules = [
    checks.length > 0 && {
      type: 'required_status_checks',
      parameters: {
        strict_required_status_checks_policy: repo.builds.strict,
        required_status_checks: checks.map(({ context, app }) => ({
          context,
          ...(app === null ? {} : { integration_id: app.id }),
        })),
      },
      ...source,
    },
    workflows.length > 0 && {
      type: 'workflows',
      parameters: { workflows: workflows.map(({ context }) => ({ path: context, repository_id: repo.id })) },
      ...source,
    },
  ];
  return pageAnswer(
    call,
    rules.filter((rule) => rule !== false),
    (rule) => rule,
  );
}

async function listCommits(call: HostCall) {
  const repo = reachRepo(call);
  const since = call.query.get('since');
  const sha = await existing(repo, call.query.get('sha') ?? repo.defaultBranch);
  const found = await commitsIn(repo, ...(since === null ? [] : [`--since=${since}`]), sha);
  return pageAnswer(call, found, (commit) => commitWire(call.host, repo, commit));
}

async function existing(repo: HostRepository, ref: string): Promise<string> {
  try {
    return await gitIn(repo.path, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`]);
  } catch {
    return refuse(404, 'Not Found');
  }
}

async function compare(call: HostCall) {
  const repo = reachRepo(call);
  const [baseRef = '', headRef = ''] = (call.params.basehead ?? '').split('...');
  const [base, head] = [await existing(repo, baseRef), await existing(repo, headRef)];
  const mergeBase = await gitIn(repo.path, ['merge-base', base, head]).catch(() => refuse(404, 'No common ancestor'));
  const ahead = await countCommits(repo, base, head);
  const behind = await countCommits(repo, head, base);
  const commits = (await commitsIn(repo, `${base}..${head}`)).toReversed();
  const page = cutPage(call, commits);
  const wire = async (sha: string) => {
    const [commit] = await commitsIn(repo, '-1', sha);
    return commit === undefined ? refuse(404, 'Not Found') : commitWire(call.host, repo, commit);
  };
  const url = `${call.host.apiUrl}/repos/${nameOf(repo)}/compare/${base}...${head}`;
  const html = `${call.host.webUrl}/${nameOf(repo)}/compare/${base}...${head}`;
  const status = ahead === 0 ? (behind === 0 ? 'identical' : 'behind') : behind === 0 ? 'ahead' : 'diverged';
  return jsonAnswer(
    200,
    {
      ...{ url, html_url: html, permalink_url: html, diff_url: `${html}.diff`, patch_url: `${html}.patch` },
      base_commit: await wire(base),
      merge_base_commit: await wire(mergeBase),
      ...{ status, ahead_by: ahead, behind_by: behind, total_commits: ahead },
      commits: page.items.map((commit) => commitWire(call.host, repo, commit)),
      files: [],
    },
    page.links,
  );
}

const MAX_COMMITS = 250; // the host gives no more

async function listPullCommits(call: HostCall) {
  const repo = reachRepo(call);
  const { pull } = reachPull(call, repo);
  // The base of a merged pull request has moved over its commits.
  const base = pull.mergeCommit === null ? pull.base : `${pull.mergeCommit}^1`;
  const found = (await commitsIn(repo, `${base}..${pull.headCommit}`)).toReversed().slice(0, MAX_COMMITS);
  return pageAnswer(call, found, (commit) => commitWire(call.host, repo, commit));
}
