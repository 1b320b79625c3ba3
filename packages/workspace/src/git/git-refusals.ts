import type { ErrorCode } from '@sluice/core/error';
import { byteSize } from './byte-size.ts';
import type { ProcessLimits } from './git-limits.ts';

/** The meaning of a refusal for the issue. The error catalogue says of each code whether a retry can help. */
export interface RefusalMeaning {
  readonly code: ErrorCode;
  /** What happened, and what to do. */
  readonly detail: (of: RefusedCall) => string;
}

interface RefusedCall {
  readonly subcommand: string;
  readonly limits: ProcessLimits;
  /** The line that the refusal was recognized by, or for a push the reason that the remote gave. */
  readonly line: string;
}

interface RefusalRow extends RefusalMeaning {
  /**
   * The author of the words: git itself, on this host; the other side, which chooses them freely; or the reason in
   * git's report of a push, and behind it the words of the other side.
   */
  readonly by: 'git' | 'server' | 'report';
  readonly says: RegExp;
  /** The calls that the row is for; default: those that talk to a remote. */
  readonly calls?: 'all' | 'add';
  /** The meaning of a push. */
  readonly ofPush?: RefusalMeaning;
  /** The meaning of a call with the token of somebody's account at the code host. */
  readonly ofAccount?: RefusalMeaning;
}

const ACCESS =
  'The repository asks for access: give an access_token that may read it, or check the one that is stored.';
const RELINK =
  'The code host does not take your token for this repository any more: link your account there again, then retry.';
const SINGLE_SIGN_ON =
  'The organization of this repository asks for its single sign-on: link your account at the code host again, and go through it there.';
const MAY_NOT_PUSH =
  'Your account at the code host may not push to this repository: ask its owner for write access, then retry.';
const UNREACHABLE = 'The server of the repository could not be reached: try again later.';
const ABSENT = 'There is no git repository at this address, or it is private and needs an access_token.';
const ABSENT_FOR_ACCOUNT = 'The code host has no such repository, or does not show it to your account.';

const means = (code: ErrorCode, detail: string): RefusalMeaning => ({ code, detail: () => detail });
const withLine = (code: ErrorCode, words: string): RefusalMeaning => ({
  code,
  detail: ({ line }) => `${words}: ${line.replace(/\.$/, '')}.`,
});
const rejected = withLine('push_rejected', 'The remote refused the branch');
const relink = means('codehost_relink_needed', RELINK);
const mayNotPush = means(
  'push_rejected',
  'The remote refused the branch: the access_token may not push to this repository.',
);
const workflowRefused = (code: ErrorCode, way: string): RefusalMeaning =>
  withLine(code, `The code host does not let this token change workflow files: ${way}, then retry. It answered`);

/**
 * Everything that git says when it refuses, with the one error that each is. The first row that fits counts. No other file
 * reads the words of git. Addresses are taken out before, so that a repository named `certificate` means nothing.
 */
export const gitRefusals = {
  /** First, because git quotes a part of the object, which may end like a line about this host. */
  unsafe_object: {
    by: 'git',
    says: /^error: object [0-9a-f]+: \w+: .*$|^fatal: fsck error in pack(ed)? objects?$/m,
    ...withLine('repo_unsafe', 'git refuses to take the repository, because its own check found an unsafe object'),
  },
  out_of_memory: {
    by: 'git',
    calls: 'all',
    says: /^(fatal|error): .*(Out of memory|Cannot allocate memory)/im,
    code: 'repo_too_large',
    detail: ({ subcommand, limits }) =>
      subcommand === 'ls-remote'
        ? `The answer of the repository's server is too large: it takes more than ${byteSize(limits.memoryBytes)} of memory.`
        : `git ${subcommand} needs more than ${byteSize(limits.memoryBytes)} of memory for this repository. The operator can raise GIT_MAX_MEMORY.`,
  },
  file_too_large: {
    by: 'git',
    calls: 'all',
    says: /^(fatal|error): .*: File too large$/m,
    code: 'repo_too_large',
    detail: ({ limits }) =>
      `The repository takes more than ${byteSize(limits.fileBytes)} for its history. The operator can raise REPO_MAX_CLONE_SIZE.`,
  },
  disk_full: {
    by: 'git',
    calls: 'all',
    says: /: (No space left on device|Disk quota exceeded)$/m,
    code: 'disk_full',
    detail: ({ subcommand }) => `git ${subcommand} failed: the disk of this server is full.`,
  },
  /** What `git add` refuses is in the tree and stays there. */
  file_unfit: {
    by: 'git',
    calls: 'add',
    says: /^(fatal|error): .*(can only add regular files|does not have a commit|invalid path|Permission denied).*$/m,
    ...withLine('workspace_unsafe', 'The working tree cannot be taken over'),
  },
  locked: {
    by: 'git',
    calls: 'all',
    says: /^(fatal|error): .*Unable to create '[^']*': File exists\.$/m,
    code: 'git_failed',
    detail: ({ subcommand }) => `git ${subcommand} failed: another git process holds a lock of this clone.`,
  },

  branch_checked_out: {
    by: 'report',
    says: /^branch is currently checked out/,
    ...means('push_rejected', 'The remote refused the branch: it is the branch that is checked out there.'),
  },
  workflow_refused: {
    by: 'report',
    says: /without [`'"]?workflows?[`'"]? (scope|permission)/i,
    ...workflowRefused('push_rejected', 'give an access_token that has the `workflow` scope'),
    ofAccount: workflowRefused(
      'codehost_relink_needed',
      'link your account there again and grant the `workflow` scope',
    ),
  },
  /** The branch moved between the look and the push. The next attempt looks again. */
  lease_stale: {
    by: 'report',
    says: /^stale info/,
    ...means('git_failed', 'The branch changed at the remote while it was pushed.'),
  },
  remote_locked: {
    by: 'report',
    says: /^(failed to update ref: .*|cannot lock ref .*)Unable to create '[^']*': File exists/,
    ...means('git_failed', 'The remote did not take the branch: another process holds a lock there.'),
  },
  remote_disk_full: {
    by: 'server',
    says: /: (No space left on device|Disk quota exceeded)$/m,
    ...means('remote_unreachable', "The disk of the repository's server is full: try again later."),
  },
  remote_broken: {
    by: 'report',
    says: /^internal (server )?error|^failure: .*fatal error in commit_refs|^[^:]*hook declined: .*(internal api (error(?! \(4)|unreachable)|\b(http(\/[\d.]+)?|status|code|returned error)\W{1,3}5\d\d\b|\b5\d\d (internal server|bad gateway|service unav|gateway time))/i,
    ...withLine('remote_unreachable', 'The server of the repository failed'),
  },
  /** Too large, unsafe by its own check, or stored where it may not write. */
  unpack_refused: {
    by: 'report',
    says: /^unpacker error: .*(exceeds maximum allowed size|fsck error|insufficient permission|unable to create temp)/,
    ...rejected,
  },
  /** The remote could not unpack what it was sent, and said nothing else: its disk, its memory, a cut connection. */
  unpack_failed: {
    by: 'report',
    says: /^unpacker error/,
    ...withLine('git_failed', 'The remote could not store the commit'),
  },
  push_refused: { by: 'report', says: /^(?!remote failed to report status)./, ...rejected },

  single_sign_on: {
    by: 'server',
    says: /protected by organization SAML|enforced SAML SSO/i,
    ...means('remote_access_denied', ACCESS),
    ofPush: mayNotPush,
    ofAccount: means('codehost_relink_needed', SINGLE_SIGN_ON),
  },
  permission_denied: {
    by: 'server',
    says: /^(ERROR: )?Permission to \S+ denied to /m,
    ...means('remote_access_denied', ACCESS),
    ofPush: mayNotPush,
    ofAccount: means('codehost_forbidden', MAY_NOT_PUSH),
  },
  access_denied: {
    by: 'git',
    says: /^fatal: (could not read (Username|Password) for|Authentication failed for) |returned error: 40[13]$/m,
    ...means('remote_access_denied', ACCESS),
    ofPush: mayNotPush,
    ofAccount: relink,
  },
  not_found: {
    by: 'git',
    says: /^fatal: repository '[^']*' not found$|returned error: (404|410)$/m,
    ...means('remote_not_found', ABSENT),
    ofAccount: means('codehost_not_found', ABSENT_FOR_ACCOUNT),
  },
  no_repository: {
    by: 'git',
    says: /^fatal: '[^']*' does not appear to be a git repository$|info\/refs not valid: /m,
    ...means('remote_not_found', ABSENT),
  },
  /** It lists its refs as a file, so everything but a push goes well. git tries WebDAV then, which nothing serves today. */
  files_only: {
    by: 'git',
    says: /^error: Cannot access URL .*$|^fatal: git-http-push failed$/m,
    ...withLine(
      'remote_unusable',
      "The server of the repository takes no push, because it only offers files: let it speak git's smart protocol, as git http-backend does. git says",
    ),
  },
  moved: {
    by: 'git',
    says: /returned error: 30\d$|^fatal: unable to update url base from redirection/m,
    ...means(
      'remote_not_found',
      'The repository has moved: its server answers with a redirect. Give the address that it redirects to.',
    ),
  },
  // Before those about certificates, because these lines name the host.
  name_unknown: {
    by: 'git',
    says: /^(fatal|error): (unable to access '': |RPC failed; ).*Could not resolve host/m,
    ...means('remote_unreachable', 'The name of the server could not be resolved.'),
  },
  timed_out: {
    by: 'git',
    says: /^(fatal|error): (unable to access '': |RPC failed; ).*(timed? ?out|Operation too slow|less than \d+ bytes)/im,
    ...means('remote_unreachable', 'The server of the repository did not answer in time: try again later.'),
  },
  no_connection: {
    by: 'git',
    says: /^fatal: unable to access '': (Failed to connect|Could not connect|Couldn't connect|Connection|No route)/m,
    ...means('remote_unreachable', UNREACHABLE),
  },
  /** Not the server's certificate: the file that this host checks it with. */
  authorities_unreadable: {
    by: 'git',
    says: /^fatal: unable to access '': .*(error setting certificate (verify locations|file|path)|error adding trust anchors|error reading ca cert|Problem with the SSL CA cert)/im,
    ...means(
      'git_failed',
      'git cannot read the certificate authorities of this host. The operator has to install the CA bundle of the system (package ca-certificates) or correct its path.',
    ),
  },
  certificate_refused: {
    by: 'git',
    says: /^fatal: unable to access '': .*(certificate|SSL peer)/im,
    ...means(
      'remote_certificate_invalid',
      'No secure connection to the server: its TLS certificate is expired, for another name or from an unknown authority.',
    ),
  },
  transport_refused: {
    by: 'git',
    says: /^fatal: transport '[^']*' not allowed$|^fatal: unable to find remote helper for /m,
    ...means('remote_unusable', 'The repository asks for a transport that is not allowed here.'),
  },
  object_format: {
    by: 'git',
    says: /^fatal: mismatched algorithms: /m,
    ...means('remote_unusable', 'The repository names its objects by SHA-256, which is not supported.'),
  },
  branch_absent: {
    by: 'git',
    says: /^fatal: couldn't find remote ref /m,
    ...means('base_branch_missing', 'The repository does not have this branch.'),
  },
  /** For a commit that is asked for by its id. As an answer to a list of branches, it says that one of them just moved. */
  commit_absent: {
    by: 'server',
    says: /not our ref|unadvertised object/,
    ...means('git_failed', 'The branches of the repository changed while they were fetched.'),
  },
  commit_unadvertised: {
    by: 'git',
    says: /^error: Server does not allow request for unadvertised object/m,
    ...means('git_failed', 'The branches of the repository changed while they were fetched.'),
  },
  partial_clone: {
    by: 'server',
    says: /could not fetch [0-9a-f]+ from promisor remote/,
    ...means(
      'remote_unusable',
      'The repository is a partial clone: some of its objects are elsewhere. Name a whole one.',
    ),
  },
  damaged_object: {
    by: 'server',
    says: /^fatal: unable to read [0-9a-f]{40}$|^(fatal|error): .*\(stored in .*\) is corrupt$|^fatal: bad (tree|object) /m,
    ...withLine('repo_unsafe', 'The repository is damaged at its server, which says'),
  },
  incomplete_pack: {
    by: 'git',
    says: /^fatal: did not receive expected object /m,
    ...means('repo_unsafe', 'The repository is damaged: its server leaves out objects that its commits need.'),
  },
  /** Through a connection that ends in order, so it is not an outage. */
  damaged_pack: {
    by: 'git',
    says: /^(fatal|error): .*(pack is corrupted|pack has bad object|inflate returned|inflate inconsistency|pack signature mismatch)/m,
    ...means('git_failed', 'The objects of the repository arrived damaged.'),
  },

  overloaded: {
    by: 'git',
    says: /returned error: (408|425|429|5\d\d)$/m,
    ...means('remote_unreachable', 'The server of the repository cannot answer now: try again later.'),
  },
  request_refused: {
    by: 'git',
    says: /returned error: 4\d\d$/m,
    ...withLine('remote_unusable', 'The server of the repository refuses what git asks'),
    ofPush: rejected,
  },
  no_tls: {
    by: 'git',
    says: /^(fatal|error): (unable to access '': |RPC failed; ).*(SSL|TLS|gnutls|schannel)/im,
    ...means('remote_unreachable', 'No secure connection to the server: it broke off, or the port does not speak TLS.'),
  },
  unreachable: {
    by: 'git',
    says: /^fatal: unable to access '': /m,
    ...means('remote_unreachable', UNREACHABLE),
  },
  broken_off: {
    by: 'git',
    says: /RPC failed|early EOF|unexpected disconnect|hung up|expected 'packfile'|bad pack header|Could not read from remote/,
    ...means('remote_unreachable', 'The connection to the server of the repository broke off: try again later.'),
  },
  /** Nonsense that a proxy or a server that restarts sends. */
  answer_unknown: {
    by: 'git',
    says: /^(fatal|error): (invalid server response|protocol error|invalid ls-refs response|unknown object format|(git fetch-pack: )?expected |unexpected (acknowledgment|wanted-ref)|invalid (un)?shallow line|object not found: |no shallow found|error in object: |unable to parse (object|remote unpack)|invalid (ref status|status line) from remote|unknown response to connect|malformed response in ref list)/m,
    ...means(
      'remote_unreachable',
      'The server of the repository, or a proxy before it, answered what git does not understand: try again later.',
    ),
  },
  /** Whatever else the server gives as its reason: it may be too busy. */
  server_refused: {
    by: 'server',
    says: /^remote error: .*/m,
    ...withLine('git_failed', 'The server of the repository refuses what git asks'),
  },
  push_unreported: {
    by: 'report',
    says: /./,
    ...means(
      'remote_unreachable',
      'The server of the repository did not say whether it took the branch: try again later.',
    ),
  },
} as const satisfies Record<string, RefusalRow>;

export type GitRefusal = keyof typeof gitRefusals;

export const refusalRow = (refusal: GitRefusal): RefusalRow => gitRefusals[refusal];
