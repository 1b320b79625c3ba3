import { resolve } from 'node:path';
import { MAX_APPROVALS } from '@sluice/core/repo';
import * as z from 'zod';
import { codeHostVariables } from './code-host-variables.ts';
import { limitVariables } from './limit-variables.ts';
import { modelVariables } from './model-variables.ts';
import { notificationVariables } from './notification-variables.ts';
import { repoVariables } from './repo-variables.ts';
import { securityVariables } from './security-variables.ts';
import { singleSignOnVariables } from './single-sign-on-variables.ts';
import {
  baseUrl,
  chromaUrl,
  commitAuthor,
  duration,
  encryptionKeys,
  headerList,
  host,
  httpUrl,
  list,
  MAX_TIMER_MS,
  offOr,
  oneOf,
  onOrOff,
  origin,
  postgresUrl,
  redisUrl,
  text,
  trustProxy,
  type Variable,
  wholeNumber,
} from './variable.ts';

// Node's mkdir never returns below /proc, where no folder can be made.
const folder = text
  .min(1, 'is empty')
  .refine((path) => !/^\/(?:proc|sys)(?:\/|$)/.test(resolve(path)), 'is in a file system of the kernel');

// The package registries' own names and where they keep their files, as their clients' documentation gives them.
const REGISTRIES = [
  'registry.npmjs.org',
  'registry.yarnpkg.com',
  'pypi.org',
  'files.pythonhosted.org',
  'proxy.golang.org',
  'sum.golang.org',
  'index.crates.io',
  'static.crates.io',
  'crates.io',
  'repo.maven.apache.org',
  'repo1.maven.org',
  'rubygems.org',
];

/**
 * The whole configuration: meaning, default, example and parser of each variable. `parseConfig` reads it, and
 * `.env.example` and `docs/configuration.md` are printed from it.
 */
export const variables = {
  HOST: { meaning: 'Address to listen on.', default: '127.0.0.1', example: '127.0.0.1', schema: host },
  PORT: {
    meaning: 'Port to listen on; 0 picks a free one and prints it.',
    default: '3000',
    example: '3000',
    schema: wholeNumber(0, 65_535),
  },
  PUBLIC_URL: {
    meaning:
      'URL at which browsers reach this server. Decides Secure cookies and the allowed origin. Required when HOST is not loopback.',
    unset: 'http://HOST:PORT as the server listens',
    example: 'https://sluice.example.com',
    schema: httpUrl,
  },
  ROLE: {
    meaning:
      'What this process does: all, api (serves requests, runs no pipelines) or worker (runs pipelines, serves /api/health only). api and worker need DATABASE_URL.',
    default: 'all',
    example: 'all',
    schema: oneOf('all', 'api', 'worker'),
  },
  DATA_DIR: {
    meaning: 'Folder for the database file, the secrets and, unless WORKSPACES_DIR is set, clones and working trees.',
    default: './data',
    example: '/var/lib/sluice',
    schema: folder,
  },
  WORKSPACES_DIR: {
    meaning:
      'Folder for clones and working trees. On a separate file system, a command that fills the disk cannot stop the database from being written.',
    unset: 'DATA_DIR/workspaces',
    example: '/var/lib/sluice-workspaces',
    schema: folder,
  },
  DATABASE_URL: {
    meaning:
      'Postgres database (12 or newer), shared by any number of processes. SESSION_SECRET and ENCRYPTION_KEYS are then required, the same for all of them.',
    unset: 'SQLite in DATA_DIR',
    example: 'postgres://sluice@127.0.0.1:5432/sluice',
    schema: postgresUrl,
    secret: true, // it may hold a password
  },
  REDIS_URL: {
    meaning: 'Redis (6.2 or newer) for rate limits and signals shared by several processes.',
    unset: 'both stay inside the process',
    example: 'redis://127.0.0.1:6379',
    schema: redisUrl,
    secret: true, // it may hold a password
  },
  CHROMA_URL: {
    meaning:
      "Chroma server (1.0 or newer) that stores EMBEDDING_MODEL's vectors for all processes, over http or https; a token, or NAME:PASSWORD, may precede the host. Readiness checks it even without an EMBEDDING_MODEL.",
    unset: 'SQLite in DATA_DIR',
    example: 'http://127.0.0.1:8000',
    schema: chromaUrl,
    secret: true, // it may hold a password
  },
  SESSION_SECRET: {
    meaning: 'Signs session cookies. At least 32 characters; generate one with "openssl rand -base64 48".',
    unset: 'generated at first start into DATA_DIR/secrets.json',
    // Too short to be accepted, like the next one: an example that works ends up as a real secret.
    example: 'BASE64_OF_48_BYTES',
    schema: text.min(32, 'is shorter than 32 characters'),
    secret: true,
  },
  ENCRYPTION_KEYS: {
    meaning:
      'Encrypts stored secrets: access tokens, secrets of authenticator apps, URLs and secrets of notifications; and seals the audit log. id:base64key, comma-separated. The first key encrypts and seals, all of them decrypt and verify.',
    unset: 'generated at first start into DATA_DIR/secrets.json',
    example: '2026a:BASE64_OF_32_BYTES',
    schema: encryptionKeys,
    secret: true,
  },
  SESSION_TTL: {
    meaning: 'How long a login lasts, even while it is in use.',
    default: '7d',
    example: '7d',
    schema: duration(60_000),
  },
  SESSION_IDLE_TTL: {
    meaning:
      'How long a login lasts without a request; 0 = as long as SESSION_TTL. An open stream does not count as a request. A change applies to a login from its next request on.',
    default: '3d', // a weekend and its two nights
    example: '12h',
    schema: z.union([z.literal('0').transform(() => 0), duration(60_000)]),
  },
  CORS_ORIGINS: {
    meaning: 'Other origins whose pages may call the API with the session cookie; comma-separated, never *.',
    default: '',
    unset: 'none',
    example: 'https://console.example.com',
    schema: list.pipe(z.array(origin)),
  },
  TRUST_PROXY: {
    meaning: 'Proxies whose X-Forwarded-For is trusted: addresses, CIDR ranges or the word loopback; comma-separated.',
    default: 'off',
    example: 'loopback, 10.0.0.0/8',
    schema: trustProxy,
  },
  REGISTRATION: {
    meaning:
      'Who may register: open (everyone), invite (the first account and those with an invitation), first-user (only the first account) or closed.',
    unset: 'open if PUBLIC_URL is loopback, otherwise first-user',
    example: 'first-user',
    schema: oneOf('open', 'invite', 'first-user', 'closed'),
  },
  INVITATIONS: {
    meaning:
      'Who may invite with REGISTRATION=invite: operators, or admins (operators, and the admins of a repository into it).',
    default: 'operators',
    example: 'admins',
    schema: oneOf('operators', 'admins'),
  },
  SECOND_FACTOR: {
    meaning:
      'Whether accounts with a password must have a second factor: optional, or required. With required, a login by password alone may only enroll one; sign-ins at a provider are not asked. Sessions that exist go on.',
    default: 'optional',
    example: 'required',
    schema: oneOf('optional', 'required'),
  },
  API_TOKENS: {
    meaning:
      'Whether users may create API tokens, with which scripts call the API (Authorization: Bearer). Off: the header is not read. The same for all processes.',
    default: 'off',
    example: 'on',
    schema: onOrOff,
  },
  MAX_ACTIVE_PIPELINES: {
    meaning: 'Limit of pipelines that run at the same time on this database, including those that wait at a gate.',
    unset: '5',
    example: '5',
    schema: wholeNumber(1, 1_000),
  },
  MAX_ACTIVE_PIPELINES_PER_USER: {
    meaning:
      'Limit of running pipelines per user; further ones are queued. Set it, to the same value for all processes, where several people share the installation.',
    default: 'off',
    example: '3',
    schema: offOr(wholeNumber(1, 1_000)),
  },
  GATE_KEEPS_SLOT: {
    meaning:
      'Whether an issue that waits at a gate counts as running. Off: its slot is freed but its repository stays taken, and after the decision it waits for a slot ahead of new issues.',
    default: 'on',
    example: 'off',
    schema: onOrOff,
  },
  REQUESTER_APPROVES: {
    meaning:
      'Whether people may approve issues that they created themselves. Off: somebody else has to, in every repository; on: each repository decides.',
    default: 'on',
    example: 'off',
    schema: onOrOff,
  },
  APPROVALS: {
    meaning: 'How many different people have to approve at each gate, at least; a repository can ask for more.',
    default: '1',
    example: '2',
    schema: wholeNumber(1, MAX_APPROVALS),
  },
  GATE_TIMEOUT: {
    meaning: 'An issue that waits longer than this for a decision is cancelled; 0 = never.',
    default: '7d',
    example: '7d',
    schema: duration(0),
  },
  WORKSPACE_TTL: {
    meaning: 'Retention of the working tree of a failed issue.',
    default: '7d',
    example: '7d',
    schema: duration(0),
  },
  EVENT_RETENTION: {
    meaning:
      "Retention of the details of a finished issue's history: events, journals, command output. The issue, its plans, result, diff and milestones stay.",
    unset: 'forever',
    example: '90d',
    schema: duration(1_000),
  },
  STAGE_TIMEOUT: {
    meaning: 'Time limit of one stage.',
    default: '30m',
    example: '30m',
    schema: duration(1_000, MAX_TIMER_MS),
  },
  COMMIT_AUTHOR: {
    meaning: 'Author of the commits that Sluice makes.',
    default: 'Sluice <sluice@localhost>',
    example: 'Sluice <sluice@example.com>',
    schema: commitAuthor,
  },
  SANDBOX: {
    meaning:
      'bwrap runs every command of a repository inside bubblewrap. none runs commands without a sandbox, and every plan and result says so.',
    default: 'bwrap',
    example: 'bwrap',
    schema: oneOf('bwrap', 'none'),
  },
  SANDBOX_READ_PATHS: {
    meaning: 'More toolchain folders to mount read-only in the sandbox; comma-separated absolute paths.',
    default: '',
    unset: 'found from PATH',
    example: '/opt/toolchain',
    schema: list.pipe(z.array(z.string().startsWith('/', 'is not an absolute path'))),
  },
  SETUP_ALLOW_HOSTS: {
    meaning:
      'Allow-list of hosts that a setup command may reach if its repository has setup_network on; *.example.com matches subdomains. Ports 443 and 80 unless the entry names one; the TLS server name must match.',
    default: REGISTRIES.join(),
    unset: 'the usual package registries',
    example: 'registry.npmjs.org, *.pypi.org',
    schema: list,
  },
  ALLOW_LOCAL_REPOS: {
    meaning:
      "Whether folders of this host can be registered as repositories. on allows it for every account; anyone who registers a folder can read it with the service's rights.",
    unset: 'only for operators, and only if HOST and PUBLIC_URL are loopback and TRUST_PROXY is off',
    example: 'off',
    schema: onOrOff,
  },
  ALLOW_PRIVATE_HOSTS: {
    meaning:
      'Whether repositories at loopback, link-local and private addresses can be registered, and hosts of SETUP_ALLOW_HOSTS at such addresses reached.',
    default: 'off',
    example: 'off',
    schema: onOrOff,
  },
  ...repoVariables,
  ...modelVariables,
  ...singleSignOnVariables,
  ...codeHostVariables,
  ...notificationVariables,
  ...limitVariables,
  ...securityVariables,
  METRICS_PORT: {
    meaning: 'Port on HOST that serves /metrics for Prometheus. Unauthenticated: do not expose it publicly.',
    default: 'off',
    example: '9464',
    schema: offOr(wholeNumber(0, 65_535)),
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    meaning:
      'OpenTelemetry collector that receives traces by OTLP over HTTP (at /v1/traces below this address): one trace per request and one per issue.',
    unset: 'no tracing',
    example: 'http://127.0.0.1:4318',
    schema: baseUrl.transform((address) => new URL(address)),
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    meaning: 'Headers for that collector: name=value, comma-separated, values URL-encoded.',
    unset: 'none',
    example: 'authorization=Bearer%20TOKEN',
    schema: headerList,
    secret: true,
  },
  LOG_LEVEL: {
    meaning: 'fatal, error, warn, info, debug, trace or silent.',
    default: 'info',
    example: 'info',
    schema: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  },
  LOG_FORMAT: {
    meaning: 'The form of the log: json (an object per line) or text (for people).',
    unset: 'text if stderr is a terminal, otherwise json',
    example: 'json',
    schema: oneOf('json', 'text'),
  },
} as const satisfies Record<string, Variable>;

export type VariableName = keyof typeof variables;
