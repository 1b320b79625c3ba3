import { expect, test } from 'vitest';
import { GitExit, gitFailure, redactGitOutput } from './git-failure.ts';

const remote = { subcommand: 'fetch', remote: true };

test("removes tokens, credentials and paths of this host from git's output", () => {
  const said =
    'fatal: unable to access \'https://me:s3cret@example.com/o/r/\': token tok-123\nerror: open("/srv/data/x"): no; file:///srv/x (/a/b)';
  const safe = redactGitOutput(said, ['tok-123']);
  expect(safe).not.toMatch(/s3cret|tok-123|srv|\/a\/b/);
  expect(safe).toContain('https://***@example.com/o/r/');
});

test('keeps the names of files in the repository', () => {
  expect(redactGitOutput("error: 'src/a.js' does not have a commit checked out", [])).toContain('src/a.js');
});

test.each([
  ["fatal: could not read Username for 'https://x': terminal prompts disabled", /access_token/],
  ["fatal: Authentication failed for 'https://x/'", /access_token/],
  ['error: The requested URL returned error: 403', /access_token/],
  ["fatal: repository 'https://x/y/' not found", /no git repository/],
  ['fatal: unable to access: SSL certificate problem: self-signed certificate', /TLS/],
  ["fatal: unable to access 'https://x/': server certificate verification failed.", /TLS/],
  ["fatal: unable to access 'https://x/': The requested URL returned error: 301", /moved/],
  ["fatal: unable to access 'https://x/': Could not resolve host: x", /resolved/],
  ["fatal: unable to access 'https://x/': Failed to connect to x port 443", /could not be reached/],
  ['error: RPC failed; curl 28 Operation too slow', /in time/],
])('explains "%s" in a sentence, as a retryable error', (said, sentence) => {
  const error = gitFailure(new GitExit('fetch', 128, said), remote);
  expect([error.code, error.retry]).toEqual(['remote_unreachable', true]);
  expect(error.message).toMatch(sentence);
  expect(error.message).not.toContain('fatal');
});

test('reports a full disk as such, also in a fetch', () => {
  const error = gitFailure(new GitExit('fetch', 128, 'fatal: write error: No space left on device'), remote);
  expect([error.code, error.message]).toEqual(['disk_full', 'git fetch failed: the disk of this server is full.']);
});

test("gives git's own line where it has no sentence for it", () => {
  const error = gitFailure(new GitExit('add', 128, 'warning: x\nfatal: odd thing\nhint: y'), {
    subcommand: 'add',
    remote: false,
  });
  expect([error.code, error.message]).toEqual(['git_failed', 'git add failed: odd thing']);
});
