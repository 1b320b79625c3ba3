import { isIP } from 'node:net';
import * as z from 'zod';
import { parseDuration } from './duration.ts';
import { encryptionKeyOf } from './encryption-key.ts';

/** One variable of the environment: what it means, what an example looks like, and how its text is read. */
export interface Variable<T> {
  readonly meaning: string;
  /** As shown to people; the program's own default may depend on other variables. */
  readonly defaultText: string;
  readonly example: string;
  readonly schema: z.ZodType<T, string>;
  /** Its value is never printed. */
  readonly secret?: true;
}

const variable = <T>(entry: Variable<T>): Variable<T> => entry;

const text = z.string();
const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, 'is not a whole number')
    .transform(Number)
    .pipe(z.int().min(min, `is less than ${min}`).max(max, `is more than ${max}`));

const ON = new Set(['true', 'on', '1']);
const OFF = new Set(['false', 'off', '0']);
const onOrOff = z
  .string()
  .refine((value) => ON.has(value.toLowerCase()) || OFF.has(value.toLowerCase()), 'is neither on nor off')
  .transform((value) => ON.has(value.toLowerCase()));

/** Words of which exactly one is meant. */
const oneOf = <const T extends string>(...words: readonly T[]) =>
  z.string().transform((value, context): T => {
    const meant = words.find((word) => word === value);
    if (meant !== undefined) return meant;
    context.addIssue({ code: 'custom', message: `is none of ${words.join(', ')}` });
    return z.NEVER;
  });

const HOUR_MS = 3_600_000;
const LONGEST_TIMER_MS = 24 * 24 * HOUR_MS; // Node's timers end at 2^31 ms (24.8 days) and fire at once beyond it
const LONGEST_MS = 3_650 * 24 * HOUR_MS; // ten years: beyond it a typing error is likelier than a wish

const duration = (minMs: number, maxMs = LONGEST_MS) =>
  z.string().transform((value, context) => {
    const ms = parseDuration(value);
    if (ms !== null && ms >= minMs && ms <= maxMs) return ms;
    const fault = ms === null ? 'is not a duration' : ms < minMs ? 'is too short' : 'is too long';
    context.addIssue({ code: 'custom', message: fault });
    return z.NEVER;
  });

const list = z.string().transform((value) =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
);

const origin = z
  .string()
  .refine((value) => URL.canParse(value) && new URL(value).origin === value, 'is not an origin (scheme, host, port)')
  .refine((value) => /^https?:/.test(value), 'is neither http:// nor https://');

const hostName = /^(?=.{1,253}$)[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)*$/;
const host = z
  .string()
  .transform((value) => value.replace(/^\[(.*)\]$/, '$1'))
  .refine((value) => isIP(value) !== 0 || hostName.test(value), 'is no address and no host name');

// Cookies, redirects and the console's links start at "/", so a path in it would be ignored without a word.
const httpUrl = z.string().transform((value, context) => {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    context.addIssue({ code: 'custom', message: 'is not an http(s) URL' });
    return z.NEVER;
  }
  if (url.href !== `${url.origin}/`) {
    context.addIssue({ code: 'custom', message: 'holds more than scheme, host and port' });
    return z.NEVER;
  }
  return url;
});

function isAddressOrRange(value: string): boolean {
  const [address = '', bits, ...rest] = value.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}

const trustProxy = z
  .string()
  .transform((value) => (OFF.has(value.toLowerCase()) ? '' : value))
  .pipe(list)
  .pipe(
    z.array(
      z.string().refine((value) => value === 'loopback' || isAddressOrRange(value), 'is no address, range or loopback'),
    ),
  );

const encryptionKeys = z.string().transform((value, context) => {
  const keys = value.split(',').map((item) => {
    const [, id = '', base64 = ''] = /^([^:]*):(.*)$/.exec(item.trim()) ?? [];
    return encryptionKeyOf(id, base64);
  });
  const known = keys.filter((key) => key !== null);
  if (known.length < keys.length) {
    context.addIssue({ code: 'custom', message: 'is not id:base64key with keys of 32 bytes' });
    return z.NEVER;
  }
  if (new Set(known.map(({ id }) => id)).size < known.length) {
    context.addIssue({ code: 'custom', message: 'has two keys with the same id' });
    return z.NEVER;
  }
  return known;
});

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
  DATA_DIR: variable({
    meaning: 'Database file, secrets, clones and working trees.',
    defaultText: './data',
    example: '/var/lib/sluice',
    schema: text.min(1, 'is empty'),
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
    meaning: 'Encrypts repository tokens at rest: id:base64key, comma-separated; the first one encrypts, all decrypt.',
    defaultText: 'generated at first start into DATA_DIR/secrets.json',
    example: '2026a:BASE64_OF_32_BYTES',
    schema: encryptionKeys,
    secret: true,
  }),
  SESSION_TTL: variable({
    meaning: 'How long a login lasts.',
    defaultText: '7d',
    example: '7d',
    schema: duration(60_000),
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
    defaultText: 'open',
    example: 'first-user',
    schema: oneOf('open', 'first-user', 'closed'),
  }),
  MAX_ACTIVE_PIPELINES: variable({
    meaning: 'How many pipelines run at once on this database, pauses for a person included.',
    defaultText: '5',
    example: '5',
    schema: wholeNumber(1, 1_000),
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
      'Hosts that a setup command may reach where its repository has setup_network on; *.example.com matches below.',
    defaultText: "the package registries' usual names",
    example: 'registry.npmjs.org, *.pypi.org',
    schema: list,
  }),
  ALLOW_LOCAL_REPOS: variable({
    meaning: "Whether this host's own folders can be registered as repositories.",
    defaultText: 'on only when HOST and PUBLIC_URL are loopback and TRUST_PROXY is off',
    example: 'off',
    schema: onOrOff,
  }),
  ALLOW_PRIVATE_HOSTS: variable({
    meaning: 'Whether repositories at loopback, link-local and private addresses can be registered.',
    defaultText: 'off',
    example: 'off',
    schema: onOrOff,
  }),
  LOG_LEVEL: variable({
    meaning: 'fatal, error, warn, info, debug, trace or silent.',
    defaultText: 'info',
    example: 'info',
    schema: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  }),
} as const satisfies Record<string, Variable<unknown>>;

export type VariableName = keyof typeof variables;

/**
 * Variables of the contract that this release does not serve yet. Setting one is refused at start: an operator who
 * believes that his money limit or his Postgres is in force must not find out later that it was not.
 */
export const unsupportedVariables: Readonly<Record<string, { readonly unless?: string; readonly why: string }>> = {
  DATABASE_URL: { why: 'only the embedded SQLite database in DATA_DIR is supported in this release' },
  REDIS_URL: { why: 'limits and signals are kept in the process in this release' },
  CHROMA_URL: { why: 'there is no vector store server in this release' },
  ROLE: { unless: 'all', why: 'one process does everything in this release' },
  MODEL: { unless: 'builtin', why: 'only the built-in model is supported in this release' },
  MODEL_TRIAGE: { unless: 'builtin', why: 'only the built-in model is supported in this release' },
  MODEL_PLAN: { unless: 'builtin', why: 'only the built-in model is supported in this release' },
  MODEL_IMPLEMENT: { unless: 'builtin', why: 'only the built-in model is supported in this release' },
  MODEL_REVIEW: { unless: 'builtin', why: 'only the built-in model is supported in this release' },
  MODEL_BASE_URL: { why: 'only the built-in model is supported in this release' },
  MODEL_API_KEY: { why: 'only the built-in model is supported in this release' },
  EMBEDDING_MODEL: { why: 'code search is by words only in this release' },
  ISSUE_BUDGET_USD: { why: 'the built-in model costs nothing; budgets come with real models' },
  ISSUE_BUDGET_TOKENS: { why: 'the built-in model uses no tokens; budgets come with real models' },
  EVENT_RETENTION: { why: 'events are kept as long as their issue in this release' },
  CODEHOST_URL: { why: 'code hosts are not supported in this release' },
  CODEHOST_API_URL: { why: 'code hosts are not supported in this release' },
  CODEHOST_CLIENT_ID: { why: 'signing in at a code host is not supported in this release' },
  CODEHOST_CLIENT_SECRET: { why: 'signing in at a code host is not supported in this release' },
  CODEHOST_WEBHOOK_SECRET: { why: 'webhooks are not supported in this release' },
  METRICS_PORT: { unless: 'off', why: 'there are no metrics in this release' },
};
