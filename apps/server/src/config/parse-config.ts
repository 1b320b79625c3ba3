import { join, resolve } from 'node:path';
import { codeHostProblems, codeHostSettings } from './code-host-settings.ts';
import { limitSettings } from './limit-variables.ts';
import { isLoopback } from './loopback.ts';
import { modelProblems, modelSettings } from './model-settings.ts';
import { notificationProblems, notificationSettings } from './notification-variables.ts';
import { type OidcProviderSettings, readOidcProviders } from './oidc-providers.ts';
import { securityContact } from './security-variables.ts';
import { type SetVariable, setVariables } from './set-variables.ts';
import type { ValuesOf, Variable } from './variable.ts';
import { type VariableName, variables } from './variables.ts';
import { withoutCredentials } from './without-credentials.ts';

type Values = ValuesOf<typeof variables>;

export interface Config extends Readonly<ReturnType<typeof toConfig>> {
  /** The variables that are set, without the values of secrets. */
  readonly set: readonly SetVariable[];
  /** The OpenID providers. */
  readonly oidc: readonly OidcProviderSettings[];
}

/** Every problem of a configuration at once. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(
      `The configuration has ${problems.length === 1 ? 'a problem' : `${problems.length} problems`}:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`,
    );
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/**
 * Reads the configuration from an environment. A variable that is empty or blank counts as not set.
 *
 * @throws ConfigError with every problem: the variable, what is wrong, and an example; never the value of a secret
 */
export function parseConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const given = (name: string) => environment[name]?.trim() || null;
  const problems: string[] = [];
  const read = (name: string, { schema, default: usual }: Variable): unknown => {
    const value = given(name);
    const parsed = value === null ? null : schema.safeParse(value);
    if (parsed?.success) return parsed.data;
    if (value !== null && parsed !== null)
      problems.push(
        problemOf(
          name as VariableName,
          value,
          parsed.error.issues.map(({ message }) => message),
        ),
      );
    return usual === undefined ? null : schema.parse(usual);
  };
  const entries = Object.entries<Variable>(variables).map(([name, variable]) => [name, read(name, variable)]);
  const values = Object.fromEntries(entries) as Values;
  const oidc = readOidcProviders(values.OIDC_PROVIDERS);
  problems.push(
    ...hostProblems(values, given),
    ...databaseProblems(values, given),
    ...workspacesProblems(values),
    ...modelProblems(modelSettings(values)),
    ...codeHostProblems(given),
    ...notificationProblems(given),
    ...signOnProblems(values, oidc.problems, given),
  );
  if (problems.length > 0) throw new ConfigError(problems);
  const set = setVariables([{ kind: 'environment', path: null, values: environment }]);
  return { ...toConfig(values, environment.PATH ?? ''), oidc: oidc.providers, set };
}

/** What is wrong with a variable, in one line that repeats no secret. */
export function problemOf(name: VariableName, value: string, faults: readonly string[]): string {
  const { example, secret }: Variable = variables[name];
  const shown = secret === true || value === '' ? '' : `"${withoutCredentials(value)}" `;
  return `${name}: ${shown}${[...new Set(faults)].join(', ')}, e.g. ${name}=${example}`;
}

type Given = (name: string) => string | null;

function hostProblems({ HOST }: Values, given: Given): string[] {
  if (isLoopback(HOST) || given('PUBLIC_URL') !== null) return [];
  return [`PUBLIC_URL: is required when HOST is not loopback, e.g. PUBLIC_URL=${variables.PUBLIC_URL.example}`];
}

function signOnProblems({ OIDC_PROVIDERS, PASSWORDS }: Values, problems: readonly string[], given: Given): string[] {
  const ofFile = problems.length === 0 ? [] : [problemOf('OIDC_PROVIDERS', OIDC_PROVIDERS ?? '', problems)];
  const hasOther = OIDC_PROVIDERS !== null || given('CODEHOST_CLIENT_ID') !== null;
  if (PASSWORDS || hasOther) return ofFile;
  return [`PASSWORDS: off leaves no way to log in, e.g. OIDC_PROVIDERS=${variables.OIDC_PROVIDERS.example}`];
}

/** Processes that share a database need the same secrets: a process alone would generate its own. */
function databaseProblems({ DATABASE_URL, ROLE }: Values, given: Given): string[] {
  if (DATABASE_URL === null) {
    if (ROLE === 'all') return [];
    return [`ROLE: ${ROLE} needs a shared database, e.g. DATABASE_URL=${variables.DATABASE_URL.example}`];
  }
  const secrets = ['SESSION_SECRET', 'ENCRYPTION_KEYS'] as const;
  return secrets
    .filter((name) => given(name) === null)
    .map(
      (name) =>
        `${name}: is required with DATABASE_URL, the same for all processes, e.g. ${name}=${variables[name].example}`,
    );
}

/** Folders in WORKSPACES_DIR are deleted when its disk is full: the data folder must not be one of them. */
function workspacesProblems({ DATA_DIR, WORKSPACES_DIR }: Values): string[] {
  if (WORKSPACES_DIR === null) return [];
  const isAbove = join(resolve(DATA_DIR), '/').startsWith(join(resolve(WORKSPACES_DIR), '/'));
  return isAbove ? [problemOf('WORKSPACES_DIR', WORKSPACES_DIR, ['is DATA_DIR or a folder above it'])] : [];
}

function toConfig(values: Values, path: string) {
  const { HOST: host, PUBLIC_URL: publicUrl, TRUST_PROXY: trustProxy, ALLOW_LOCAL_REPOS: allowLocalRepos } = values;
  const dataDir = resolve(values.DATA_DIR);
  const isPublicUrlLoopback = publicUrl === null || isLoopback(publicUrl.hostname);
  return {
    host,
    port: values.PORT,
    publicUrl,
    role: values.ROLE,
    dataDir,
    workspacesDir: resolve(values.WORKSPACES_DIR ?? join(dataDir, 'workspaces')),
    databaseUrl: values.DATABASE_URL,
    redisUrl: values.REDIS_URL,
    chromaUrl: values.CHROMA_URL,
    sessionSecret: values.SESSION_SECRET,
    encryptionKeys: values.ENCRYPTION_KEYS,
    sessionTtlMs: values.SESSION_TTL,
    sessionIdleTtlMs: values.SESSION_IDLE_TTL,
    corsOrigins: values.CORS_ORIGINS,
    trustProxy,
    passwords: values.PASSWORDS,
    registration: values.REGISTRATION ?? (isPublicUrlLoopback ? 'open' : 'first-user'),
    invitations: values.INVITATIONS,
    secondFactor: values.SECOND_FACTOR,
    takesApiTokens: values.API_TOKENS,
    maxActivePipelines: values.MAX_ACTIVE_PIPELINES,
    maxActivePipelinesPerUser: values.MAX_ACTIVE_PIPELINES_PER_USER,
    gateKeepsSlot: values.GATE_KEEPS_SLOT,
    leastApproval: { requesterApproves: values.REQUESTER_APPROVES, approvals: values.APPROVALS },
    gateTimeoutMs: values.GATE_TIMEOUT,
    workspaceTtlMs: values.WORKSPACE_TTL,
    eventRetentionMs: values.EVENT_RETENTION,
    stageTimeoutMs: values.STAGE_TIMEOUT,
    commitAuthor: values.COMMIT_AUTHOR,
    sandbox: values.SANDBOX,
    sandboxReadPaths: values.SANDBOX_READ_PATHS,
    setupAllowHosts: values.SETUP_ALLOW_HOSTS,
    allowLocalRepos: allowLocalRepos ?? (isLoopback(host) && isPublicUrlLoopback && trustProxy.length === 0),
    /** Who may register local repositories, if they are allowed. */
    localReposFor: allowLocalRepos === null ? ('operators' as const) : ('everybody' as const),
    allowPrivateHosts: values.ALLOW_PRIVATE_HOSTS,
    repoLimits: {
      files: values.REPO_MAX_FILES,
      treeBytes: values.REPO_MAX_TREE_SIZE,
      cloneBytes: values.REPO_MAX_CLONE_SIZE,
    },
    gitMemoryBytes: values.GIT_MAX_MEMORY,
    models: modelSettings(values),
    codehost: codeHostSettings(values),
    notifications: notificationSettings(values),
    limits: limitSettings(values),
    securityContact: securityContact(values),
    metricsPort: values.METRICS_PORT,
    tracing:
      values.OTEL_EXPORTER_OTLP_ENDPOINT === null
        ? null
        : { endpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT, headers: values.OTEL_EXPORTER_OTLP_HEADERS ?? {} },
    logLevel: values.LOG_LEVEL,
    /** Null: by where it goes. */
    logFormat: values.LOG_FORMAT,
    /** The service's own `PATH`, where toolchains are searched. */
    path,
  };
}
