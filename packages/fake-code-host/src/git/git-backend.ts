import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { emptyAnswer, type HostAnswer, HostRefusal } from '../http/answer.ts';
import type { HostCall, HostRoute } from '../http/host-call.ts';
import { basicCredentials } from '../oauth/oauth-token.ts';
import { followBranches } from '../people/pull-acts.ts';
import { cleanGitEnvironment } from '../state/bare-repository.ts';
import { findMoved, findRepo, type HostRepository, nameOf } from '../state/host-state.ts';
import { atLeast, permissionOfToken } from '../state/permission.ts';
import type { HostToken } from '../state/token-book.ts';

/** git over HTTP: git's own server program, behind Basic authentication with a token as the password. */
export const gitRoutes: readonly HostRoute[] = [
  { route: 'GET /:owner/:repo/info/refs', handle: serveGit },
  { route: 'POST /:owner/:repo/git-upload-pack', handle: serveGit },
  { route: 'POST /:owner/:repo/git-receive-pack', handle: serveGit },
];

async function serveGit(call: HostCall): Promise<HostAnswer> {
  const service = call.query.get('service') ?? call.path.split('/').at(-1) ?? '';
  const isPush = service === 'git-receive-pack';
  const { repo, token } = reach(call, isPush);
  if (findRepo(call.host, `${call.params.owner}/${call.params.repo}`) === null) return moved(call, repo);
  const answer = await runBackend(call, { repo, token });
  if (isPush && call.method === 'POST') {
    repo.pushedAt = call.host.clock.now();
    await followBranches(call.host, repo, token?.user ?? repo.owner);
  }
  return answer;
}

function reach(call: HostCall, isPush: boolean): { repo: HostRepository; token: HostToken | null } {
  const basic = basicCredentials(call.headers.authorization);
  const token = basic === null ? null : call.host.tokens.find(basic.password);
  const fullName = `${call.params.owner}/${call.params.repo}`;
  const repo = findRepo(call.host, fullName) ?? findMoved(call.host, fullName);
  const permission = repo === null ? 'none' : permissionOfToken(repo, token);
  if (token === null && (basic !== null || isPush || permission === 'none')) {
    throw new HostRefusal({
      ...text(401, 'Authentication failed.\n'),
      headers: { 'www-authenticate': 'Basic realm="Code host"', 'content-type': 'text/plain' },
    });
  }
  if (repo === null || !atLeast(permission, 'read')) throw new HostRefusal(text(404, 'Repository not found.\n'));
  if (isPush && !atLeast(permission, 'write')) {
    throw new HostRefusal(text(403, `Permission to ${nameOf(repo)}.git denied to ${token?.user.login}.\n`));
  }
  return { repo, token };
}

/** From a name that the repository had before. */
function moved(call: HostCall, repo: HostRepository): HostAnswer {
  const location = `${call.host.webUrl}/${nameOf(repo)}.git/${inside(call)}?${call.query}`;
  return emptyAnswer(301, { location });
}

/** The path below the repository. */
function inside(call: HostCall): string {
  return call.path.split('/').slice(3).join('/');
}

function text(status: number, body: string): HostAnswer {
  return { ...emptyAnswer(status, { 'content-type': 'text/plain' }), body: Buffer.from(body) };
}

/** Runs `git http-backend` as CGI for one request. */
async function runBackend(call: HostCall, reached: { repo: HostRepository; token: HostToken | null }) {
  const tail = inside(call);
  const { token } = reached;
  const child = spawn('git', ['http-backend'], {
    env: {
      ...cleanGitEnvironment,
      GIT_CONFIG_COUNT: '2',
      GIT_CONFIG_KEY_0: 'http.receivepack',
      GIT_CONFIG_VALUE_0: 'true',
      GIT_CONFIG_KEY_1: 'safe.directory',
      GIT_CONFIG_VALUE_1: '*',
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_PROTOCOL: call.headers['git-protocol'] ?? '',
      PATH_TRANSLATED: `${reached.repo.path}/${tail}`,
      PATH_INFO: `/${tail}`,
      QUERY_STRING: call.query.toString(),
      REQUEST_METHOD: call.method,
      CONTENT_TYPE: call.headers['content-type'] ?? '',
      CONTENT_LENGTH: String(call.raw.length),
      HTTP_CONTENT_ENCODING: call.headers['content-encoding'] ?? '',
      REMOTE_USER: token?.user.login ?? '',
      REMOTE_ADDR: '127.0.0.1',
      // For the hook that guards workflow files.
      CODEHOST_MAY_WORKFLOW: token?.scopes?.includes('workflow') === false ? 'no' : 'yes',
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(call.raw);
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(child, 'close');
  return fromCgi(Buffer.concat(chunks));
}

function fromCgi(output: Buffer): HostAnswer {
  const end = output.indexOf('\r\n\r\n');
  const headers: Record<string, string> = {};
  let status = end === -1 ? 500 : 200;
  for (const line of output.subarray(0, Math.max(end, 0)).toString('utf8').split('\r\n')) {
    const [name = '', value = ''] = line.split(/: (.*)/s);
    if (name === 'Status') status = Number.parseInt(value, 10);
    else if (name !== '') headers[name.toLowerCase()] = value;
  }
  return { status, headers, body: end === -1 ? Buffer.alloc(0) : output.subarray(end + 4) };
}
