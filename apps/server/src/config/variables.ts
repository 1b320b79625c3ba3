import * as z from 'zod';
import { codehostVariables } from './codehost-variables.ts';
import { modelVariables } from './model-variables.ts';
import { repoVariables } from './repo-variables.ts';
import {
  baseUrl,
  chromaUrl,
  duration,
  encryptionKeys,
  headerList,
  host,
  httpUrl,
  LONGEST_TIMER_MS,
  list,
  offOr,
  oneOf,
  onOrOff,
  origin,
  postgresUrl,
  redisUrl,
  text,
  trustProxy,
  type Variable,
  variable,
  wholeNumber,
} from './variable.ts';

/** The whole configuration, as a table; `.env.example` is printed from it. */
export const variables = {
  HOST: variable({ meaning: 'Address to listen on.', defaultText: '127.0.0.1', example: '127.0.0.1', schema: host }),
  PORT: variable({
    meaning: 'Port to listen on; 0 takes a free one and prints it.',
    defaultText: '3000',
    example: '3000',
    schema: wholeNumber(0, 65_535),
  }),
  PUBLIC_URL: variable({
    meaning:
      'What browsers call this server. Decides Secure cookies and the allowed origin. Required when HOST is not loopback.',
    defaultText: 'http://HOST:PORT as it really listens',
    example: 'https://sluice.example.com',
    schema: httpUrl,
  }),
  ROLE: variable({
    meaning:
      'What this process does: all, api (answers, works on no issue) or worker (works, and answers /api/health alone). Roles apart need DATABASE_URL.',
    defaultText: 'all',
    example: 'all',
    schema: oneOf('all', 'api', 'worker'),
  }),
  DATA_DIR: variable({
    meaning: 'Database file, secrets and, without WORKSPACES_DIR, clones and working trees.',
    defaultText: './data',
    example: '/var/lib/sluice',
    schema: text.min(1, 'is empty'),
  }),
  WORKSPACES_DIR: variable({
    meaning:
      'Clones and working trees. On a file system of its own, a command that fills the disk cannot keep the database from being written.',
    defaultText: 'DATA_DIR/workspaces',
    example: '/var/lib/sluice-workspaces',
    schema: text.min(1, 'is empty'),
  }),
  DATABASE_URL: variable({
    meaning:
      'A Postgres database (12 or newer) that any number of processes share; SESSION_SECRET and ENCRYPTION_KEYS must be set then, the same for all.',
    defaultText: 'SQLite in DATA_DIR',
    example: 'postgres://sluice@127.0.0.1:5432/sluice',
    schema: postgresUrl,
    secret: true, // it may hold a password
  }),
  REDIS_URL: variable({
    meaning: 'Redis (6.2 or newer) for limits and signals that several processes share.',
    defaultText: 'both are kept in the process',
    example: 'redis://127.0.0.1:6379',
    schema: redisUrl,
    secret: true, // it may hold a password
  }),
  CHROMA_URL: variable({
    meaning:
      "A Chroma server (1.0 or newer) that keeps EMBEDDING_MODEL's vectors for all processes, over http or https; a token, or NAME:PASSWORD, may stand before the host. Readiness asks it whether or not there is an EMBEDDING_MODEL.",
    defaultText: 'SQLite in DATA_DIR',
    example: 'http://127.0.0.1:8000',
    schema: chromaUrl,
    secret: true, // it may hold a password
  }),
  SESSION_SECRET: variable({
    meaning: 'Signs session cookies; at least 32 characters, such as "openssl rand -base64 48" prints.',
    defaultText: 'generated at first start into DATA_DIR/secrets.json',
    // Too short to be taken, like the next one: an example that works becomes somebody's secret.
    example: 'BASE64_OF_48_BYTES',
    schema: text.min(32, 'is shorter than 32 characters'),
    secret: true,
  }),
  ENCRYPTION_KEYS: variable({
    meaning:
      'Encrypts the tokens of repositories and of people at the code host, at rest: id:base64key, comma-separated; the first one encrypts, all decrypt.',
    defaultText: 'generated at first start into DATA_DIR/secrets.json',
    example: '2026a:BASE64_OF_32_BYTES',
    schema: encryptionKeys,
    secret: true,
  }),
  SESSION_TTL: variable({
    meaning: 'How long a login lasts, however much it is used.',
    defaultText: '7d',
    example: '7d',
    schema: duration(60_000),
  }),
  SESSION_IDLE_TTL: variable({
    meaning:
      'How long a login lasts without a request; 0 = as long as SESSION_TTL. A stream that stays open is no request. It holds for a login from its next request on.',
    defaultText: '3d',
    example: '12h',
    schema: z.union([z.literal('0').transform(() => 0), duration(60_000)]),
  }),
  CORS_ORIGINS: variable({
    meaning: 'Other origins whose pages may call the API with the cookie; comma-separated, never *.',
    defaultText: 'none',
    example: 'https://console.example.com',
    schema: list.pipe(z.array(origin)),
  }),
  TRUST_PROXY: variable({
    meaning: 'Proxies whose X-Forwarded-For is believed: addresses, CIDR ranges or the word loopback; comma-separated.',
    defaultText: 'off',
    example: 'loopback, 10.0.0.0/8',
    schema: trustProxy,
  }),
  REGISTRATION: variable({
    meaning: 'Who may register: open, first-user (the first one only) or closed.',
    defaultText: 'open where PUBLIC_URL is loopback, else first-user',
    example: 'first-user',
    schema: oneOf('open', 'first-user', 'closed'),
  }),
  MAX_ACTIVE_PIPELINES: variable({
    meaning: 'How many pipelines run at once on this database, pauses for a person included.',
    defaultText: '5',
    example: '5',
    schema: wholeNumber(1, 1_000),
  }),
  MAX_ACTIVE_PIPELINES_PER_USER: variable({
    meaning:
      "How many of them may be one user's; further ones wait. Set it, the same for all processes, where several people share the installation.",
    defaultText: 'off',
    example: '3',
    schema: offOr(wholeNumber(1, 1_000)),
  }),
  GATE_KEEPS_SLOT: variable({
    meaning:
      'Whether an issue that waits for a person counts as one that runs. Off: its slot is freed, its repository is not, and after the decision it waits for a slot ahead of new issues.',
    defaultText: 'on',
    example: 'off',
    schema: onOrOff,
  }),
  GATE_TIMEOUT: variable({
    meaning: 'After this long without a decision an issue is cancelled; 0 = never.',
    defaultText: '7d',
    example: '7d',
    schema: duration(0),
  }),
  WORKSPACE_TTL: variable({
    meaning: 'How long the working tree of a failed issue is kept.',
    defaultText: '7d',
    example: '7d',
    schema: duration(0),
  }),
  EVENT_RETENTION: variable({
    meaning:
      'How long an ended issue keeps the details of its history: events, journals, the output of commands. The issue, its plans, result, change and milestones stay.',
    defaultText: 'for ever',
    example: '90d',
    schema: duration(1_000),
  }),
  STAGE_TIMEOUT: variable({
    meaning: 'Longest time that one stage may take.',
    defaultText: '30m',
    example: '30m',
    schema: duration(1_000, LONGEST_TIMER_MS),
  }),
  COMMIT_AUTHOR: variable({
    meaning: 'Author of the commits that Sluice makes.',
    defaultText: 'Sluice <sluice@localhost>',
    example: 'Sluice <sluice@example.com>',
    schema: z.string().transform((value, context) => {
      const match = /^([^<>\p{Cc}]{1,100})\s<([^<>\s\p{Cc}]{1,200})>$/u.exec(value);
      if (match?.[1] !== undefined && match[2] !== undefined) return { name: match[1].trim(), email: match[2] };
      context.addIssue({ code: 'custom', message: 'is not of the form Name <address>' });
      return z.NEVER;
    }),
  }),
  SANDBOX: variable({
    meaning: 'bwrap holds every command of a repository in bubblewrap; none runs them bare, and is shown everywhere.',
    defaultText: 'bwrap',
    example: 'bwrap',
    schema: oneOf('bwrap', 'none'),
  }),
  SANDBOX_READ_PATHS: variable({
    meaning: 'Further toolchain folders shown read-only in the sandbox; comma-separated absolute paths.',
    defaultText: 'found from PATH',
    example: '/opt/toolchain',
    schema: list.pipe(z.array(z.string().startsWith('/', 'is not an absolute path'))),
  }),
  SETUP_ALLOW_HOSTS: variable({
    meaning:
      'Hosts that a setup command may reach where its repository has setup_network on; *.example.com matches below. Ports 443 and 80 unless the entry names one; TLS must ask for the same name.',
    defaultText: "the package registries' usual names",
    example: 'registry.npmjs.org, *.pypi.org',
    schema: list,
  }),
  ALLOW_LOCAL_REPOS: variable({
    meaning:
      "Whether this host's own folders can be registered as repositories; on lets every account do it, and whoever registers a folder can read it with the service's rights.",
    defaultText: 'for the first account, where HOST and PUBLIC_URL are loopback and TRUST_PROXY is off',
    example: 'off',
    schema: onOrOff,
  }),
  ALLOW_PRIVATE_HOSTS: variable({
    meaning: 'Whether repositories at loopback, link-local and private addresses can be registered.',
    defaultText: 'off',
    example: 'off',
    schema: onOrOff,
  }),
  ...repoVariables,
  ...modelVariables,
  ...codehostVariables,
  METRICS_PORT: variable({
    meaning: 'Port on which /metrics is served for Prometheus, on HOST; it needs no login, so keep it from strangers.',
    defaultText: 'off',
    example: '9464',
    schema: offOr(wholeNumber(0, 65_535)),
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: variable({
    meaning:
      'An OpenTelemetry collector that takes traces by OTLP over HTTP (at /v1/traces below this address): one trace a request, one an issue.',
    defaultText: 'nothing is traced',
    example: 'http://127.0.0.1:4318',
    schema: baseUrl.transform((address) => new URL(address)),
  }),
  OTEL_EXPORTER_OTLP_HEADERS: variable({
    meaning: 'Headers for that collector: name=value, comma-separated, values as in a URL.',
    defaultText: 'none',
    example: 'authorization=Bearer%20TOKEN',
    schema: headerList,
    secret: true,
  }),
  LOG_LEVEL: variable({
    meaning: 'fatal, error, warn, info, debug, trace or silent.',
    defaultText: 'info',
    example: 'info',
    schema: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  }),
} as const satisfies Record<string, Variable<unknown>>;

export type VariableName = keyof typeof variables;
