import { errorCatalog } from '@sluice/core/error';
import { expect, test } from 'vitest';
import { gitFailure, redactGitOutput, refusalOf } from './git-failure.ts';
import { DEFAULT_GIT_LIMITS } from './git-limits.ts';
import { type GitRefusal, gitRefusals, refusalRow } from './git-refusals.ts';

const { memoryBytes, cloneBytes } = DEFAULT_GIT_LIMITS;
const limits = { memoryBytes, fileBytes: cloneBytes, timeoutMs: 1, joinFiles: [] };

interface Said {
  readonly stderr?: string;
  readonly report?: string;
  readonly subcommand?: string;
  readonly byAccount?: boolean;
}

const failure = ({ stderr = '', report = '', subcommand = 'fetch', byAccount = false }: Said) =>
  gitFailure(
    { exitCode: 128, stderr, report },
    { subcommand, remote: ['fetch', 'push', 'ls-remote'].includes(subcommand), byAccount, limits },
  );
const refused = (reason: string) => `To …\n!\tHEAD:refs/heads/a\t[remote rejected] (${reason})\nDone\n`;
const at = "unable to access 'https://host/o/r/': ";

/** What git says for each row, as recorded from git 2.39 to 2.47 with GnuTLS and OpenSSL, or from a code host. */
const sayings: Record<GitRefusal, readonly (string | Said)[]> = {
  out_of_memory: [
    'fatal: Out of memory, malloc failed (tried to allocate 9 bytes)',
    'fatal: mmap failed: Cannot allocate memory',
  ],
  file_too_large: ['fatal: write error: File too large\nfatal: fetch-pack: invalid index-pack output'],
  disk_full: [
    'fatal: write error: No space left on device\nfatal: fetch-pack: invalid index-pack output',
    { subcommand: 'add', stderr: 'fatal: unable to write loose object file: Disk quota exceeded' },
  ],
  file_unfit: [
    { subcommand: 'add', stderr: 'error: open("x"): Permission denied\nfatal: adding files failed' },
    { subcommand: 'add', stderr: "error: 'sub/' does not have a commit checked out\nfatal: adding files failed" },
  ],
  locked: [
    "error: cannot lock ref 'refs/remotes/origin/a': Unable to create '…': File exists.",
    { subcommand: 'add', stderr: "fatal: Unable to create '…': File exists." },
  ],
  branch_checked_out: [{ subcommand: 'push', report: refused('branch is currently checked out') }],
  workflow_refused: [
    { subcommand: 'push', report: refused('refused'), stderr: 'remote: no change without `workflow` scope' },
  ],
  lease_stale: [{ subcommand: 'push', report: '!\tHEAD:refs/heads/a\t[rejected] (stale info)\n' }],
  remote_locked: [
    {
      subcommand: 'push',
      report: refused('failed to update ref'),
      stderr: "remote: error: cannot lock ref 'refs/heads/a': Unable to create '…': File exists.",
    },
    {
      subcommand: 'push',
      report: refused("cannot lock ref 'refs/heads/a': Unable to create '…': File exists."),
    },
  ],
  remote_disk_full: [
    'remote: fatal: write error: No space left on device\nfatal: early EOF',
    {
      subcommand: 'push',
      report: refused('unpacker error'),
      stderr: 'remote: fatal: unable to write loose object file: No space left on device',
    },
  ],
  remote_broken: [
    { subcommand: 'push', report: refused('Internal Server Error') },
    { subcommand: 'push', report: refused('failure'), stderr: 'remote: Fatal error in commit_refs' },
    {
      subcommand: 'push',
      report: refused('pre-receive hook declined'),
      stderr: 'remote: GitLab: Internal API error (503)',
    },
    {
      subcommand: 'push',
      report: refused('pre-receive hook declined'),
      stderr: 'remote: policy service answered HTTP 502',
    },
    {
      subcommand: 'push',
      report: refused('pre-receive hook declined'),
      stderr: 'remote: 503 Service Unavailable',
    },
  ],
  unpack_refused: [
    {
      subcommand: 'push',
      report: refused('unpacker error'),
      stderr: 'remote: fatal: pack exceeds maximum allowed size',
    },
    {
      subcommand: 'push',
      report: refused('unpacker error'),
      stderr: 'error: remote unpack failed: unable to create temporary object directory',
    },
  ],
  unpack_failed: [
    {
      subcommand: 'push',
      report: refused('unpacker error'),
      stderr: 'error: remote unpack failed: unpack-objects abnormal exit',
    },
  ],
  push_refused: [
    { subcommand: 'push', report: refused('pre-receive hook declined') },
    {
      subcommand: 'push',
      report: refused('pre-receive hook declined'),
      stderr: 'remote: error: 512 files are too many',
    },
    { subcommand: 'push', report: refused('failure'), stderr: 'remote: GitLab: not allowed' },
    { subcommand: 'push', report: refused('protected branch hook declined') },
    { subcommand: 'push', report: refused('push declined due to repository rule violations') },
    { subcommand: 'push', report: refused('deny updating a hidden ref') },
  ],
  single_sign_on: [
    {
      byAccount: true,
      stderr: `remote: The 'o' organization has enabled or enforced SAML SSO.\nfatal: ${at}The requested URL returned error: 403`,
    },
  ],
  permission_denied: [
    {
      byAccount: true,
      stderr: `remote: Permission to o/r.git denied to somebody.\nfatal: ${at}The requested URL returned error: 403`,
    },
  ],
  access_denied: [
    "fatal: could not read Username for 'https://host': terminal prompts disabled",
    "fatal: Authentication failed for 'https://host/o/r/'",
    `fatal: ${at}The requested URL returned error: 403`,
    'error: RPC failed; HTTP 401 curl 22 The requested URL returned error: 401',
  ],
  not_found: [
    "remote: Repository not found.\nfatal: repository 'https://host/o/r/' not found",
    `fatal: ${at}The requested URL returned error: 410`,
  ],
  no_repository: [
    "fatal: '…' does not appear to be a git repository\nfatal: Could not read from remote repository.",
    'fatal: https://host/o/r/info/refs not valid: is this a git repository?',
  ],
  files_only: [
    {
      subcommand: 'push',
      stderr:
        "error: Cannot access URL https://host:8443/o/r.git/, return code 22\nfatal: git-http-push failed\nerror: failed to push some refs to 'https://host:8443/o/r.git'",
    },
    {
      subcommand: 'push',
      stderr: 'error: no DAV locking support on https://host/o/r.git/\nfatal: git-http-push failed',
    },
  ],
  moved: [`fatal: ${at}The requested URL returned error: 301`],
  name_unknown: [`fatal: ${at}Could not resolve host: host`],
  timed_out: [
    'error: RPC failed; curl 28 Operation too slow. Less than 1000 bytes/sec transferred the last 60 seconds',
    `fatal: ${at}Failed to connect to host port 443 after 130 ms: Connection timed out`,
  ],
  no_connection: [
    `fatal: ${at}Failed to connect to host port 443 after 0 ms: Couldn't connect to server`,
    `fatal: ${at}Failed to connect to certificate.example port 443: No route to host`,
  ],
  authorities_unreadable: [
    `fatal: ${at}error setting certificate verify locations:  CAfile: … CApath: none`,
    `fatal: ${at}error setting certificate verify locations:\n  CAfile: …\n  CApath: none`,
    `fatal: ${at}error setting certificate file: …`,
    `fatal: ${at}error reading ca cert file … (Error while reading file.)`,
  ],
  certificate_refused: [
    `fatal: ${at}SSL certificate problem: self-signed certificate`,
    `fatal: ${at}server certificate verification failed. CAfile: none CRLfile: none`,
    `fatal: ${at}SSL: no alternative certificate subject name matches target host name 'host'`,
  ],
  transport_refused: ["fatal: transport 'ssh' not allowed"],
  object_format: ['fatal: mismatched algorithms: client sha1; server sha256'],
  branch_absent: ["fatal: couldn't find remote ref refs/heads/timeout"],
  commit_absent: [`fatal: remote error: upload-pack: not our ref ${'1'.repeat(40)}`],
  commit_unadvertised: ['error: Server does not allow request for unadvertised object 1111'],
  unsafe_object: [
    "error: object 313f79: hasDotgit: contains '.git'\nfatal: fsck error in packed object\nfatal: fetch-pack: invalid index-pack output",
    'fatal: fsck error in packed object\nfatal: index-pack failed',
  ],
  partial_clone: [
    'remote: fatal: could not fetch cf2f291 from promisor remote\nfatal: protocol error: bad pack header',
  ],
  damaged_object: [
    `remote: fatal: unable to read ${'a'.repeat(40)}\nfatal: protocol error: bad pack header`,
    'remote: fatal: loose object cf2f29 (stored in ./objects/cf/2f29) is corrupt',
  ],
  incomplete_pack: ['fatal: did not receive expected object a7679a\nfatal: fetch-pack: invalid index-pack output'],
  damaged_pack: [
    'fatal: pack is corrupted (SHA1 mismatch)\nfatal: fetch-pack: invalid index-pack output',
    'error: inflate: data stream error\nfatal: pack has bad object at offset 12: inflate returned -3',
  ],
  overloaded: [
    `fatal: ${at}The requested URL returned error: 503`,
    `fatal: ${at}The requested URL returned error: 429`,
    "error: RPC failed; HTTP 500 curl 22 The requested URL returned error: 500\nfatal: expected 'packfile'",
  ],
  request_refused: [`fatal: ${at}The requested URL returned error: 451`],
  no_tls: [
    `fatal: ${at}gnutls_handshake() failed: An unexpected TLS packet was received.`,
    `fatal: ${at}OpenSSL SSL_connect: SSL_ERROR_SYSCALL in connection to host:443`,
  ],
  unreachable: [`fatal: ${at}Empty reply from server`],
  broken_off: [
    'error: RPC failed; curl 18 transfer closed with outstanding read data remaining\nfatal: early EOF\nfatal: fetch-pack: invalid index-pack output',
    'fatal: the remote end hung up unexpectedly',
    "error: RPC failed; curl 52 Empty reply from server\nfatal: expected 'packfile'",
  ],
  answer_unknown: [
    "fatal: invalid server response; got '<html>'",
    "fatal: protocol error: unexpected '<html>'",
    'fatal: protocol error: bad line length character: <htm',
    'fatal: invalid ls-refs response: <html>',
    "fatal: git fetch-pack: expected ACK/NAK, got '<html>'",
  ],
  server_refused: ['fatal: remote error: GitLab is currently unable to handle this request due to load.'],
  push_unreported: [
    { subcommand: 'push', report: '!\tHEAD:refs/heads/a\t[remote failure] (remote failed to report status)\n' },
  ],
};

const cases = Object.entries(sayings).flatMap(([refusal, all]) =>
  all.map((one) => [refusal, typeof one === 'string' ? { stderr: one } : one] as const),
);

test.each(cases)('knows %s by %j', (refusal, said) => {
  expect(refusalOf(failure(said))).toBe(refusal);
});

test('retries what waiting can help, and nothing else', () => {
  const retried = Object.entries(gitRefusals).filter(([, { code }]) => errorCatalog[code].retry);
  expect(retried.map(([refusal]) => refusal).sort()).toEqual([
    'answer_unknown', // a proxy's page
    'authorities_unreadable', // until the operator has repaired this host
    'broken_off',
    'commit_absent', // a branch moved
    'commit_unadvertised',
    'damaged_pack', // a few times: it may be the way here
    'disk_full',
    'lease_stale',
    'locked',
    'name_unknown',
    'no_connection',
    'no_tls', // a server that restarts breaks off a handshake too
    'overloaded',
    'push_unreported',
    'remote_broken',
    'remote_disk_full',
    'remote_locked',
    'server_refused', // its words are its own: it may be busy
    'timed_out',
    'unpack_failed',
    'unreachable',
  ]);
  const ofOthers = (Object.keys(gitRefusals) as GitRefusal[]).flatMap((refusal) => {
    const { ofPush, ofAccount } = refusalRow(refusal);
    return [ofPush, ofAccount].flatMap((other) => (other === undefined ? [] : [errorCatalog[other.code].retry]));
  });
  expect(ofOthers).not.toContain(true);
});

test.each(['certificate', 'redirect', 'tls/ssl', 'timeout', 'fsck', 'not-found', 'returned error: 404'])(
  'takes an outage of a repository that is named %s as an outage',
  (name) => {
    const stderr = `fatal: unable to access 'https://${name.split('/')[0]?.replace(/\W/g, '')}.example/o/${encodeURI(name)}/': Failed to connect to ${name.replace(/\W/g, '')}.example port 443 after 1 ms: Couldn't connect to server`;
    expect([failure({ stderr }).code, failure({ stderr }).retry]).toEqual(['remote_unreachable', true]);
  },
);

test('gives the reason of a remote that could not unpack, without what git says after it', () => {
  const stderr = "error: remote unpack failed: index-pack failed\nerror: failed to push some refs to 'https://host/r'";
  const { message } = failure({ subcommand: 'push', stderr, report: refused('unpacker error') });
  expect(message).toMatch(/: unpacker error: remote unpack failed: index-pack failed\.$/);
});

test.each([
  'OpenSSL SSL_connect: SSL_ERROR_SYSCALL in connection to certificates.corp:443',
  'OpenSSL SSL_connect: Connection reset by peer in connection to certificates.corp:443 ',
  'Failed sending data to certificates.corp',
  'Could not resolve host: certificates.corp',
  'Could not resolve proxy: certificate-proxy.corp',
  "Failed to connect to certificates.corp port 443 after 1 ms: Couldn't connect to server",
])('takes "%s" as an outage, whatever the name of the host', (said) => {
  const { code, retry } = failure({ stderr: `fatal: unable to access 'https://certificates.corp/x.git/': ${said}` });
  expect([code, retry]).toEqual(['remote_unreachable', true]);
});

test('takes a bad certificate as final, whatever the name of the host', () => {
  for (const host of ['certificate', 'certificates.corp', 'ssl']) {
    const stderr = `fatal: unable to access 'https://${host}/x.git/': SSL certificate problem: certificate has expired`;
    expect(refusalOf(failure({ stderr }))).toBe('certificate_refused');
  }
});

test.each([
  ["fatal: invalid server response; got '", 'answer_unknown'],
  ["fatal: protocol error: unexpected '", 'answer_unknown'],
  ['fatal: invalid ls-refs response: ', 'answer_unknown'],
  ["fatal: git fetch-pack: expected ACK/NAK, got '", 'answer_unknown'],
  ['fatal: invalid shallow line: ', 'answer_unknown'],
  ["fatal: unknown object format '", 'answer_unknown'],
  ['error: invalid ref status from remote: ', 'answer_unknown'],
  ['fatal: mismatched algorithms: client sha1; server ', 'object_format'],
  [`error: object ${'1'.repeat(40)}: gitmodulesUrl: disallowed submodule url: -`, 'unsafe_object'],
] as const)('takes nothing that the server put behind "%s" for a word of git', (sentence, refusal) => {
  for (const sent of [
    'x: No space left on device\n',
    'x\nfatal: write error: No space left on device\n',
    'x\nfatal: Out of memory\n',
    'x\nfatal: write error: File too large\n',
    "x\nfatal: couldn't find remote ref x\n",
  ]) {
    expect(refusalOf(failure({ stderr: `${sentence}${sent}'` }))).toBe(refusal);
  }
});

test.each([
  ['remote: No space left on device', 'of its own disk'],
  ['remote: fatal: Out of memory, malloc failed', 'of its memory'],
  ['remote: error: object 1: hasDotgit: contains .git', 'as git does of an object'],
  ['remote: The requested URL returned error: 404', 'as git does of HTTP'],
])('takes "%s", which the other side sends %s, not for git of this host', (line) => {
  const stderr = `${line}\nfatal: the remote end hung up unexpectedly`;
  expect(failure({ stderr })).toMatchObject({ code: 'remote_unreachable', retry: true });
});

test('takes no further line of an error that the server sends for one of git', () => {
  const stderr = 'fatal: remote error: busy\nfatal: fsck error in packed object\nfatal: write error: File too large';
  expect(refusalOf(failure({ stderr }))).toBe('server_refused');
});

test.each([
  ["fatal: Authentication failed for 'https://host/o/r.git/'", 'codehost_relink_needed'],
  ["fatal: could not read Username for 'https://host': terminal prompts disabled", 'codehost_relink_needed'],
  [`fatal: ${at}The requested URL returned error: 403`, 'codehost_relink_needed'],
  [
    `remote: Permission to o/r.git denied to somebody.\nfatal: ${at}The requested URL returned error: 403`,
    'codehost_forbidden',
  ],
  [
    "remote: The 'o' organization has enabled or enforced SAML SSO.\nfatal: Authentication failed for 'https://host/'",
    'codehost_relink_needed',
  ],
  ["remote: Repository not found.\nfatal: repository 'https://host/o/r.git/' not found", 'codehost_not_found'],
  [`fatal: ${at}Could not resolve host: host`, 'remote_unreachable'],
  ['fatal: the remote end hung up unexpectedly', 'remote_unreachable'],
])('knows what the code host has against an account: %s', (stderr, code) => {
  expect(failure({ stderr, byAccount: true }).code).toBe(code);
});

test('names the object that git refuses', () => {
  const { message } = failure({ stderr: "error: object 313f79: hasDotgit: contains '.git'\nfatal: fsck error" });
  expect(message).toContain("found an unsafe object: object 313f79: hasDotgit: contains '.git'.");
});

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

test('names the server as git does, where its line is shown', () => {
  const pushed = (line: string) =>
    gitFailure(
      {
        exitCode: 1,
        stderr: `${line}\nerror: failed to push some refs to 'https://git.example:8443/o/r.git'`,
        report: '',
      },
      { subcommand: 'push', remote: true, byAccount: false, limits },
    );
  const known = 'Cannot access URL https://git.example:8443/o/r.git/, return code 22';
  expect(pushed(`error: ${known}`).message).toContain(`git says: ${known}.`);
  const unknown = 'the moon of https://git.example:8443/o/r.git/ is full';
  expect(pushed(`error: ${unknown}`).message).toBe(`git push failed: ${unknown}`);
});

test("gives git's own line where the table does not know it", () => {
  const error = failure({ stderr: 'warning: x\nfatal: odd thing\nhint: y', subcommand: 'add' });
  expect([error.code, error.retry, error.message]).toEqual(['git_failed', true, 'git add failed: odd thing']);
  expect(refusalOf(error)).toBeNull();
});
