import { rateLimits } from '@sluice/core/request';
import { describe, expect, it } from 'vitest';
import { codeHostVariables } from './code-host-variables.ts';
import { limitVariables } from './limit-variables.ts';
import { type ModelSettings, modelStages } from './model-settings.ts';
import { notificationVariables } from './notification-variables.ts';
import { type Config, ConfigError, parseConfig } from './parse-config.ts';
import { securityVariables } from './security-variables.ts';
import { singleSignOnVariables } from './single-sign-on-variables.ts';
import { type VariableName, variables } from './variables.ts';

const GIB = 1024 ** 3;
const KEY = Buffer.alloc(32, 7).toString('base64');
const OTHER_KEY = Buffer.alloc(32, 8).toString('base64');
const LONG_SECRET = 'correct-horse-battery-staple-and-more';

function problemsOf(environment: Record<string, string>): readonly string[] {
  try {
    parseConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

it('needs nothing: every variable has a default', () => {
  expect(parseConfig({})).toEqual({
    host: '127.0.0.1',
    port: 3_000,
    publicUrl: null,
    dataDir: `${process.cwd()}/data`,
    role: 'all',
    workspacesDir: `${process.cwd()}/data/workspaces`,
    databaseUrl: null,
    redisUrl: null,
    chromaUrl: null,
    sessionSecret: null,
    encryptionKeys: null,
    sessionTtlMs: 604_800_000,
    sessionIdleTtlMs: 259_200_000,
    corsOrigins: [],
    takesApiTokens: false,
    trustProxy: [],
    passwords: true,
    oidc: [],
    registration: 'open',
    invitations: 'operators',
    secondFactor: 'optional',
    maxActivePipelines: null,
    maxActivePipelinesPerUser: null,
    gateKeepsSlot: true,
    leastApproval: { requesterApproves: true, approvals: 1 },
    gateTimeoutMs: 604_800_000,
    workspaceTtlMs: 604_800_000,
    eventRetentionMs: null,
    stageTimeoutMs: 1_800_000,
    commitAuthor: { name: 'Sluice', email: 'sluice@localhost' },
    sandbox: 'bwrap',
    sandboxReadPaths: [],
    setupAllowHosts: expect.arrayContaining(['registry.npmjs.org', 'pypi.org']),
    allowLocalRepos: true,
    localReposFor: 'operators',
    allowPrivateHosts: false,
    models: {
      byStage: { triage: ['builtin'], plan: ['builtin'], implement: ['builtin'], review: ['builtin'] },
      effort: {},
      plannerTriages: false,
      embedding: null,
      anthropic: { baseUrl: null, apiKey: null },
      openai: { baseUrl: null, apiKey: null },
      google: { baseUrl: null, apiKey: null },
      vertex: { baseUrl: null, apiKey: null },
      azure: { baseUrl: null, apiKey: null },
      bedrock: { baseUrl: null, apiKey: null },
      openrouter: { baseUrl: null, apiKey: null },
      deepseek: { baseUrl: null, apiKey: null },
      groq: { baseUrl: null, apiKey: null },
      cerebras: { baseUrl: null, apiKey: null },
      mistral: { baseUrl: null, apiKey: null },
      xai: { baseUrl: null, apiKey: null },
      compatible: { baseUrl: null, apiKey: null },
      settingsFile: null,
      timeoutMs: 600_000,
      budget: { tokens: 2_000_000, cost_usd: null, active_ms: null },
      budgetIsFixed: false,
      testRounds: 3,
      reviewRounds: 2,
    },
    repoLimits: { files: 500_000, treeBytes: 4 * GIB, cloneBytes: 8 * GIB },
    gitMemoryBytes: 2 * GIB,
    notifications: { allowHosts: [], smtp: null },
    codehost: null,
    limits: rateLimits,
    securityContact: null,
    metricsPort: null,
    tracing: null,
    logLevel: 'info',
    logFormat: null,
    path: '',
    set: [],
  } satisfies Config);
});

it('treats an empty or blank variable as not set', () => {
  const names = Object.keys(variables);
  expect(parseConfig(Object.fromEntries(names.map((name) => [name, ''])))).toEqual(parseConfig({}));
  expect(parseConfig(Object.fromEntries(names.map((name) => [name, ' \t'])))).toEqual(parseConfig({}));
});

const accepted: [VariableName, string, Partial<Config>][] = [
  ['OTEL_EXPORTER_OTLP_HEADERS', 'a=b', { tracing: null }],
  [
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'http://127.0.0.1:4318/otlp',
    { tracing: { endpoint: new URL('http://127.0.0.1:4318/otlp'), headers: {} } },
  ],
  ['HOST', '[::1]', { host: '::1' }],
  ['HOST', 'localhost', { host: 'localhost' }],
  ['PORT', '0', { port: 0 }],
  ['PORT', ' 65535 ', { port: 65_535 }],
  ['PUBLIC_URL', 'https://sluice.example.com', { publicUrl: new URL('https://sluice.example.com') }],
  ['PUBLIC_URL', 'http://localhost:8080/', { publicUrl: new URL('http://localhost:8080') }],
  ['DATA_DIR', '/var/lib/my sluice', { dataDir: '/var/lib/my sluice', workspacesDir: '/var/lib/my sluice/workspaces' }],
  ['WORKSPACES_DIR', '/mnt/trees', { workspacesDir: '/mnt/trees' }],
  ['ROLE', 'all', { role: 'all' }],
  ['REDIS_URL', 'rediss://u:p@cache:6380/1', { redisUrl: 'rediss://u:p@cache:6380/1' }],
  ['CHROMA_URL', 'http://chroma:8000', { chromaUrl: new URL('http://chroma:8000') }],
  ['CHROMA_URL', 'https://a%2Fb@[::1]/x', { chromaUrl: new URL('https://a%2Fb@[::1]/x') }],
  ['CHROMA_URL', 'https://me:p%40ß@vectors', { chromaUrl: new URL('https://me:p%40ß@vectors') }],
  ['SESSION_SECRET', LONG_SECRET, { sessionSecret: LONG_SECRET }],
  ['ENCRYPTION_KEYS', `a:${KEY}`, { encryptionKeys: [{ id: 'a', key: Buffer.alloc(32, 7) }] }],
  [
    'ENCRYPTION_KEYS',
    `new:${KEY}, old:${OTHER_KEY}`,
    {
      encryptionKeys: [
        { id: 'new', key: Buffer.alloc(32, 7) },
        { id: 'old', key: Buffer.alloc(32, 8) },
      ],
    },
  ],
  ['SESSION_TTL', '12h', { sessionTtlMs: 43_200_000 }],
  ['SESSION_IDLE_TTL', '1h', { sessionIdleTtlMs: 3_600_000 }],
  ['SESSION_IDLE_TTL', '0', { sessionIdleTtlMs: 0 }],
  [
    'CORS_ORIGINS',
    'https://a.example, http://b.example:81',
    { corsOrigins: ['https://a.example', 'http://b.example:81'] },
  ],
  ['TRUST_PROXY', 'off', { trustProxy: [] }],
  [
    'TRUST_PROXY',
    'loopback,10.0.0.0/8, ::1/128,192.0.2.1',
    { trustProxy: ['loopback', '10.0.0.0/8', '::1/128', '192.0.2.1'] },
  ],
  ['LOG_FORMAT', 'json', { logFormat: 'json' }],
  ['REGISTRATION', 'first-user', { registration: 'first-user' }],
  ['REGISTRATION', 'invite', { registration: 'invite' }],
  ['INVITATIONS', 'admins', { invitations: 'admins' }],
  ['SECOND_FACTOR', 'required', { secondFactor: 'required' }],
  ['API_TOKENS', 'on', { takesApiTokens: true }],
  ['MAX_ACTIVE_PIPELINES', '1', { maxActivePipelines: 1 }],
  ['MAX_ACTIVE_PIPELINES_PER_USER', '3', { maxActivePipelinesPerUser: 3 }],
  ['MAX_ACTIVE_PIPELINES_PER_USER', 'off', { maxActivePipelinesPerUser: null }],
  ['GATE_KEEPS_SLOT', 'off', { gateKeepsSlot: false }],
  ['REQUESTER_APPROVES', 'off', { leastApproval: { requesterApproves: false, approvals: 1 } }],
  ['APPROVALS', '2', { leastApproval: { requesterApproves: true, approvals: 2 } }],
  ['GATE_TIMEOUT', '0', { gateTimeoutMs: 0 }],
  ['EVENT_RETENTION', '90d', { eventRetentionMs: 90 * 86_400_000 }],
  ['WORKSPACE_TTL', '30d', { workspaceTtlMs: 2_592_000_000 }],
  ['STAGE_TIMEOUT', '90s', { stageTimeoutMs: 90_000 }],
  ['COMMIT_AUTHOR', 'Ada L. <ada@example.com>', { commitAuthor: { name: 'Ada L.', email: 'ada@example.com' } }],
  ['SANDBOX', 'none', { sandbox: 'none' }],
  ['SANDBOX_READ_PATHS', '/opt/a, /opt/b', { sandboxReadPaths: ['/opt/a', '/opt/b'] }],
  ['SETUP_ALLOW_HOSTS', 'npm.example.com,*.example.org', { setupAllowHosts: ['npm.example.com', '*.example.org'] }],
  ['ALLOW_LOCAL_REPOS', 'off', { allowLocalRepos: false }],
  ['ALLOW_PRIVATE_HOSTS', 'TRUE', { allowPrivateHosts: true }],
  ['ALLOW_PRIVATE_HOSTS', '1', { allowPrivateHosts: true }],
  ['ALLOW_PRIVATE_HOSTS', 'False', { allowPrivateHosts: false }],
  ['REPO_MAX_FILES', '2000000', { repoLimits: { files: 2_000_000, treeBytes: 4 * GIB, cloneBytes: 8 * GIB } }],
  ['REPO_MAX_TREE_SIZE', '512MiB', { repoLimits: { files: 500_000, treeBytes: GIB / 2, cloneBytes: 8 * GIB } }],
  ['REPO_MAX_CLONE_SIZE', '1TiB', { repoLimits: { files: 500_000, treeBytes: 4 * GIB, cloneBytes: 1_024 * GIB } }],
  ['GIT_MAX_MEMORY', '3GiB', { gitMemoryBytes: 3 * GIB }],
  ['METRICS_PORT', '9464', { metricsPort: 9_464 }],
  ['METRICS_PORT', 'off', { metricsPort: null }],
  ['LOG_LEVEL', 'debug', { logLevel: 'debug' }],
];

it.each(accepted)('accepts %s=%s', (name, value, expected) => {
  expect(parseConfig({ [name]: value })).toMatchObject(expected);
});

/** What the models need besides their names. */
const REACHED = { ANTHROPIC_API_KEY: 'a-key', OPENAI_API_KEY: 'o-key', MODEL_BASE_URL: 'http://127.0.0.1:11434/v1' };

const acceptedForModels: [VariableName, string, Partial<ModelSettings>][] = [
  [
    'MODEL',
    'anthropic/a, compatible/hf.co/x/y:7b',
    { byStage: everyStage(['anthropic/a', 'compatible/hf.co/x/y:7b']) },
  ],
  ['MODEL', 'builtin', { byStage: everyStage(['builtin']), plannerTriages: false }],
  ['MODEL', 'openai/a', { byStage: everyStage(['openai/a']), plannerTriages: true }],
  [
    'MODEL_TRIAGE',
    'openai/small',
    { byStage: { ...everyStage(['builtin']), triage: ['openai/small'] }, plannerTriages: false },
  ],
  ['MODEL_PLAN', 'anthropic/a', { byStage: { ...everyStage(['builtin']), plan: ['anthropic/a'] } }],
  ['MODEL_IMPLEMENT', 'anthropic/a', { byStage: { ...everyStage(['builtin']), implement: ['anthropic/a'] } }],
  ['MODEL_REVIEW', 'builtin', { byStage: everyStage(['builtin']) }],
  ['MODEL_EFFORT', 'low', { effort: { triage: 'low', plan: 'low', implement: 'low', review: 'low' } }],
  ['MODEL_EFFORT', 'default', { effort: {} }],
  ['MODEL_EFFORT_TRIAGE', 'none', { effort: { triage: 'none' } }],
  ['MODEL_EFFORT_PLAN', 'max', { effort: { plan: 'max' } }],
  ['MODEL_EFFORT_IMPLEMENT', 'xhigh', { effort: { implement: 'xhigh' } }],
  ['MODEL_EFFORT_REVIEW', 'minimal', { effort: { review: 'minimal' } }],
  ['ANTHROPIC_API_KEY', 'sk-x', { anthropic: { baseUrl: null, apiKey: 'sk-x' } }],
  ['ANTHROPIC_BASE_URL', 'https://gw.example', { anthropic: { baseUrl: 'https://gw.example/v1', apiKey: 'a-key' } }],
  ['OPENAI_API_KEY', 'sk-x', { openai: { baseUrl: null, apiKey: 'sk-x' } }],
  ['OPENAI_BASE_URL', 'https://gw.example/oai/', { openai: { baseUrl: 'https://gw.example/oai', apiKey: 'o-key' } }],
  ['GOOGLE_API_KEY', 'k-1', { google: { baseUrl: null, apiKey: 'k-1' } }],
  ['GOOGLE_BASE_URL', 'https://gw.example/x/', { google: { baseUrl: 'https://gw.example/x', apiKey: null } }],
  ['VERTEX_API_KEY', 'k-1', { vertex: { baseUrl: null, apiKey: 'k-1' } }],
  ['VERTEX_BASE_URL', 'https://gw.example/x/', { vertex: { baseUrl: 'https://gw.example/x', apiKey: null } }],
  ['AZURE_API_KEY', 'k-1', { azure: { baseUrl: null, apiKey: 'k-1' } }],
  ['AZURE_BASE_URL', 'https://gw.example/x/', { azure: { baseUrl: 'https://gw.example/x', apiKey: null } }],
  ['BEDROCK_API_KEY', 'k-1', { bedrock: { baseUrl: null, apiKey: 'k-1' } }],
  ['BEDROCK_BASE_URL', 'https://gw.example/x/', { bedrock: { baseUrl: 'https://gw.example/x', apiKey: null } }],
  ['OPENROUTER_API_KEY', 'k-1', { openrouter: { baseUrl: null, apiKey: 'k-1' } }],
  ['OPENROUTER_BASE_URL', 'https://gw.example/x/', { openrouter: { baseUrl: 'https://gw.example/x', apiKey: null } }],
  ['DEEPSEEK_API_KEY', 'k-1', { deepseek: { baseUrl: null, apiKey: 'k-1' } }],
  ['DEEPSEEK_BASE_URL', 'https://gw.example/x/', { deepseek: { baseUrl: 'https://gw.example/x', apiKey: null } }],
  ['GROQ_API_KEY', 'k-1', { groq: { baseUrl: null, apiKey: 'k-1' } }],
  ['GROQ_BASE_URL', 'https://gw.example/x/', { groq: { baseUrl: 'https://gw.example/x', apiKey: null } }],
  ['CEREBRAS_API_KEY', 'k-1', { cerebras: { baseUrl: null, apiKey: 'k-1' } }],
  ['CEREBRAS_BASE_URL', 'https://gw.example/x/', { cerebras: { baseUrl: 'https://gw.example/x', apiKey: null } }],
  ['MISTRAL_API_KEY', 'k-1', { mistral: { baseUrl: null, apiKey: 'k-1' } }],
  ['MISTRAL_BASE_URL', 'https://gw.example/x/', { mistral: { baseUrl: 'https://gw.example/x', apiKey: null } }],
  ['XAI_API_KEY', 'k-1', { xai: { baseUrl: null, apiKey: 'k-1' } }],
  ['XAI_BASE_URL', 'https://gw.example/x/', { xai: { baseUrl: 'https://gw.example/x', apiKey: null } }],
  ['MODEL_BASE_URL', 'http://[::1]:8000/v1/', { compatible: { baseUrl: 'http://[::1]:8000/v1', apiKey: null } }],
  ['MODEL_API_KEY', 'k', { compatible: { baseUrl: REACHED.MODEL_BASE_URL, apiKey: 'k' } }],
  ['MODEL_SETTINGS', '/etc/models.json', { settingsFile: '/etc/models.json' }],
  ['MODEL_PRICES', '/etc/models.json', { settingsFile: '/etc/models.json' }],
  ['MODEL_TIMEOUT', '90s', { timeoutMs: 90_000 }],
  ['EMBEDDING_MODEL', 'compatible/nomic-embed-text', { embedding: 'compatible/nomic-embed-text' }],
  ['ISSUE_BUDGET_TOKENS', '5000', { budget: { tokens: 5_000, cost_usd: null, active_ms: null } }],
  ['ISSUE_BUDGET_USD', '2.50', { budget: { tokens: 2_000_000, cost_usd: 2.5, active_ms: null } }],
  ['ISSUE_BUDGET_TIME', '4h', { budget: { tokens: 2_000_000, cost_usd: null, active_ms: 14_400_000 } }],
  ['ISSUE_BUDGET_FIXED', 'on', { budgetIsFixed: true }],
  ['TEST_ROUNDS', '0', { testRounds: 0 }],
  ['REVIEW_ROUNDS', '5', { reviewRounds: 5 }],
];

function everyStage(names: readonly string[]): ModelSettings['byStage'] {
  return Object.fromEntries(modelStages.map((stage) => [stage, names])) as ModelSettings['byStage'];
}

it.each(acceptedForModels)('accepts %s=%s', (name, value, expected) => {
  expect(parseConfig({ ...REACHED, [name]: value }).models).toMatchObject(expected);
});

it('lets the effort of a stage go before that of all stages, back to the default too', () => {
  const { effort } = parseConfig({
    MODEL_EFFORT: 'low',
    MODEL_EFFORT_PLAN: 'max',
    MODEL_EFFORT_REVIEW: 'default',
  }).models;
  expect(effort).toEqual({ triage: 'low', plan: 'max', implement: 'low' });
  expect(() => parseConfig({ MODEL_EFFORT: 'much' })).toThrow(/MODEL_EFFORT: "much" is none of default, none, /);
});

it('lets the planner triage only where both are the same model, and none was named for triage', () => {
  const folds = (more: Record<string, string>) =>
    parseConfig({ ...REACHED, MODEL: 'openai/a', ...more }).models.plannerTriages;
  expect(folds({})).toBe(true);
  expect(folds({ MODEL_PLAN: 'openai/b' })).toBe(false);
  expect(folds({ MODEL_TRIAGE: 'openai/a' })).toBe(false);
});

it('has a test with a good value for every variable', () => {
  const tried = ['DATABASE_URL', ...[...accepted, ...acceptedForModels].map(([name]) => name)];
  // The variables of the code host, the limits, notifications, security.txt and single sign-on have tests of their own.
  const groups = [codeHostVariables, limitVariables, notificationVariables, securityVariables, singleSignOnVariables];
  const apart = Object.assign({}, ...groups);
  const others = Object.keys(variables).filter((name) => !Object.hasOwn(apart, name));
  expect(new Set(tried)).toEqual(new Set(others));
});

describe('a database that processes share', () => {
  const shared = {
    DATABASE_URL: 'postgres://sluice:pw@db:5432/sluice',
    SESSION_SECRET: LONG_SECRET,
    ENCRYPTION_KEYS: `a:${KEY}`,
  };

  it.each(['all', 'api', 'worker'] as const)('lets a process be %s', (role) => {
    expect(parseConfig({ ...shared, ROLE: role })).toMatchObject({ role, databaseUrl: shared.DATABASE_URL });
  });

  it('requires configured secrets, because each process would generate its own', () => {
    expect(problemsOf({ DATABASE_URL: shared.DATABASE_URL })).toEqual([
      expect.stringMatching(/^SESSION_SECRET: is required with DATABASE_URL/),
      expect.stringMatching(/^ENCRYPTION_KEYS: is required with DATABASE_URL/),
    ]);
  });

  it.each(['sqlite:///x.db', 'mysql://h/db', 'postgres://host', 'host/db'])('is Postgres: not %s', (url) => {
    const problems = problemsOf({ ...shared, DATABASE_URL: url.replace('//', '//me:hunter2@') });
    expect(problems).toEqual([expect.stringContaining('DATABASE_URL: is not postgres://')]);
    expect(problems.join()).not.toContain('hunter2');
  });

  it.each(['api', 'worker'])('is needed by a process that is %s alone', (role) => {
    expect(problemsOf({ ROLE: role })).toEqual([expect.stringMatching(/^ROLE: .* needs a shared database/)]);
  });
});

describe('a model that cannot be reached', () => {
  it.each([
    [{ MODEL: 'anthropic/a' }, 'ANTHROPIC_API_KEY: is required for anthropic/a'],
    [{ MODEL_PLAN: 'builtin', MODEL_REVIEW: 'openai/b' }, 'OPENAI_API_KEY: is required for openai/b'],
    [{ MODEL: 'anthropic/a, compatible/c', ANTHROPIC_API_KEY: 'k' }, 'MODEL_BASE_URL: is required for compatible/c'],
    [{ MODEL: 'google/g' }, 'GOOGLE_API_KEY: is required for google/g'],
    [{ MODEL: 'azure/a', AZURE_API_KEY: 'k' }, 'AZURE_BASE_URL: is required for azure/a, e.g. AZURE_BASE_URL=https://'],
    [{ MODEL: 'bedrock/b', BEDROCK_BASE_URL: 'https://b.example' }, 'BEDROCK_API_KEY: is required for bedrock/b'],
    [{ EMBEDDING_MODEL: 'openai/e' }, 'OPENAI_API_KEY: is required for openai/e'],
  ])('stops the start, with the variable that is missing: %j', (environment, problem) => {
    expect(problemsOf(environment)).toEqual([expect.stringContaining(problem)]);
  });

  it('needs no key of a provider that is not used', () => {
    expect(problemsOf({ MODEL: 'compatible/c', MODEL_BASE_URL: 'http://127.0.0.1:1/v1' })).toEqual([]);
  });
});

const refused: [VariableName, string, string][] = [
  ['HOST', 'http://127.0.0.1', 'is neither an address nor a host name'],
  ['HOST', 'two words', 'is neither an address nor a host name'],
  ['PORT', '65536', 'is more than 65535'],
  ['PORT', '-1', 'is not a whole number'],
  ['PORT', '3e3', 'is not a whole number'],
  ['PUBLIC_URL', 'sluice.example.com', 'is not an http(s) URL'],
  ['PUBLIC_URL', 'ftp://sluice.example.com', 'is not an http(s) URL'],
  ['PUBLIC_URL', 'https://example.com/sluice', 'holds more than scheme, host and port'],
  ['PUBLIC_URL', 'https://example.com/?a', 'holds more than scheme, host and port'],
  ['SESSION_TTL', '7', 'is not a duration'],
  ['SESSION_TTL', '59s', 'is too short'],
  ['SESSION_TTL', '3651d', 'is too long'],
  ['CORS_ORIGINS', '*', 'is not an origin'],
  ['CORS_ORIGINS', 'https://a.example/', 'is not an origin'],
  ['CORS_ORIGINS', 'https://a.example,null', 'is not an origin'],
  ['TRUST_PROXY', 'true', 'is not an address, a range or loopback'],
  ['TRUST_PROXY', '10.0.0.0/33', 'is not an address, a range or loopback'],
  ['TRUST_PROXY', '10.0.0.0/8/8', 'is not an address, a range or loopback'],
  ['TRUST_PROXY', '::1/129', 'is not an address, a range or loopback'],
  ['REGISTRATION', 'closd', 'is none of open, invite, first-user, closed'],
  ['MAX_ACTIVE_PIPELINES', '0', 'is less than 1'],
  ['MAX_ACTIVE_PIPELINES_PER_USER', '0', 'is less than 1'],
  ['MAX_ACTIVE_PIPELINES', '1001', 'is more than 1000'],
  ['GATE_TIMEOUT', 'never', 'is not a duration'],
  ['WORKSPACE_TTL', '-1d', 'is not a duration'],
  ['STAGE_TIMEOUT', '0', 'is too short'],
  ['STAGE_TIMEOUT', '25d', 'is too long'],
  ['COMMIT_AUTHOR', 'Ada', 'is not of the form Name <address>'],
  ['COMMIT_AUTHOR', 'Ada\nX: y <ada@example.com>', 'is not of the form Name <address>'],
  ['SANDBOX', 'docker', 'is none of bwrap, none'],
  ['SANDBOX_READ_PATHS', '/opt/a,opt/b', 'is not an absolute path'],
  ['ALLOW_LOCAL_REPOS', 'yes', 'is neither on nor off'],
  ['ALLOW_PRIVATE_HOSTS', '2', 'is neither on nor off'],
  ['REPO_MAX_FILES', '999', 'is less than 1000'],
  ['REPO_MAX_TREE_SIZE', '4G', 'is not a size'],
  ['REPO_MAX_CLONE_SIZE', '15MiB', 'is too small'],
  ['GIT_MAX_MEMORY', '-2GiB', 'is not a size'],
  ['LOG_LEVEL', 'verbose', 'is none of fatal, error'],
  ['METRICS_PORT', '65536', 'is more than 65535'],
  ['METRICS_PORT', 'on', 'is not a whole number'],
  ['MODEL', 'gpt-5', 'is neither builtin nor a list of'],
  ['MODEL', 'elsewhere/gemini', 'is neither builtin nor a list of'],
  ['MODEL', 'anthropic/', 'is neither builtin nor a list of'],
  ['MODEL', 'builtin, openai/x', 'has builtin beside another model'],
  ['MODEL_PLAN', 'openai/x, openai/x', 'names a model twice'],
  ['MODEL_REVIEW', ',', 'names no model'],
  ['MODEL_BASE_URL', '127.0.0.1:11434', 'is not an http(s) URL'],
  ['MODEL_BASE_URL', 'http://127.0.0.1/v1?key=x', 'holds a query or a fragment'],
  ['EMBEDDING_MODEL', 'anthropic/x', 'is neither openai/NAME nor compatible/NAME'],
  ['ISSUE_BUDGET_USD', '0', 'is not more than 0'],
  ['ISSUE_BUDGET_USD', '-5', 'is not an amount'],
  ['ISSUE_BUDGET_USD', '1e9', 'is not an amount'],
  ['ISSUE_BUDGET_TOKENS', '0', 'is less than 1'],
  ['ISSUE_BUDGET_TIME', '0', 'is too short'],
  ['MODEL_TIMEOUT', '2h', 'is too long'],
  ['TEST_ROUNDS', '21', 'is more than 20'],
];

it.each(refused)('refuses %s=%s with the reason and an example', (name, value, why) => {
  const problems = problemsOf({ [name]: value });
  expect(problems).toEqual([expect.stringContaining(`${name}: "${value}" ${why}`)]);
  expect(problems[0]).toContain(`e.g. ${name}=${variables[name].example}`);
});

it('lists every problem at once', () => {
  const problems = problemsOf({ HOST: '0.0.0.0', PORT: 'x', SANDBOX: 'y', EVENT_RETENTION: '0' });
  expect(problems.map((text) => text.split(':')[0])).toEqual(['PORT', 'EVENT_RETENTION', 'SANDBOX', 'PUBLIC_URL']);
  expect(new ConfigError(problems).message).toMatch(/^The configuration has 4 problems:\n {2}- PORT: /);
});

describe('a secret', () => {
  it.each([
    ['SESSION_SECRET', 'hunter2', 'is shorter than 32 characters'],
    ['ENCRYPTION_KEYS', 'hunter2', 'is not id:base64key'],
    ['ENCRYPTION_KEYS', `a:${Buffer.alloc(31).toString('base64')}`, 'is not id:base64key'],
    ['ENCRYPTION_KEYS', `a:${Buffer.alloc(33).toString('base64')}`, 'is not id:base64key'],
    ['ENCRYPTION_KEYS', `a b:${KEY}`, 'is not id:base64key'],
    ['ENCRYPTION_KEYS', `a:${KEY}:${KEY}`, 'is not id:base64key'],
    ['ENCRYPTION_KEYS', `a:${KEY},`, 'is not id:base64key'],
    ['ENCRYPTION_KEYS', `a:!${KEY.slice(1)}`, 'is not id:base64key'],
    ['ENCRYPTION_KEYS', `a:${KEY},a:${OTHER_KEY}`, 'has two keys with the same id'],
  ])('of a wrong form is refused and not printed: %s=%s', (name, value, why) => {
    const [problem = '', ...rest] = problemsOf({ [name]: value });
    expect(rest).toEqual([]);
    expect(problem).toMatch(new RegExp(`^${name}: ${why}`));
    for (const part of value.split(/[:,]/).filter((piece) => piece.length > 3)) expect(problem).not.toContain(part);
  });

  it.each(['SESSION_SECRET', 'ENCRYPTION_KEYS'] as const)('is never the example: %s', (name) => {
    expect(problemsOf({ [name]: variables[name].example })).toHaveLength(1);
  });

  it('in a URL is not printed either', () => {
    const [problem] = problemsOf({ PUBLIC_URL: 'https://me:hunter2@example.com' });
    expect(problem).toContain('"https://***@example.com" holds more than');
    expect(problem).not.toContain('hunter2');
  });

  it('in the address of Redis is not printed', () => {
    const problems = problemsOf({ REDIS_URL: 'http://:hunter2@cache' });
    expect(problems).toEqual([expect.stringContaining('REDIS_URL: is neither redis://… nor rediss://…')]);
    expect(problems.join()).not.toContain('hunter2');
  });

  it.each(['chroma://:hunter2@vectors', 'http://me:hunter2@vectors?key=hunter2', 'http://hunter2%0A@vectors'])(
    'in the address of Chroma is not printed: %s',
    (value) => {
      const problems = problemsOf({ CHROMA_URL: value });
      expect(problems).toEqual([expect.stringMatching(/^CHROMA_URL: is not http\(s\):\/\/TOKEN@HOST:PORT\/PATH/)]);
      expect(problems.join()).not.toContain('hunter2');
    },
  );

  it.each(['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'MODEL_API_KEY'])('with a blank in it is not printed: %s', (name) => {
    const problems = problemsOf({ [name]: 'hunter2 hunter3' });
    expect(problems).toEqual([expect.stringContaining(`${name}: contains a space`)]);
    expect(problems.join()).not.toContain('hunter');
  });

  it('in the address of a model server is not printed', () => {
    const problems = problemsOf({ MODEL_BASE_URL: 'http://me:hunter2@127.0.0.1/v1' });
    expect(problems).toEqual([expect.stringContaining('holds credentials')]);
    expect(problems.join()).not.toContain('hunter2');
  });
});

describe('PUBLIC_URL', () => {
  it.each(['0.0.0.0', '::', '192.0.2.7', 'sluice.example.com'])('is required when HOST is %s', (host) => {
    expect(problemsOf({ HOST: host })).toEqual([expect.stringMatching(/^PUBLIC_URL: is required when HOST is not/)]);
    expect(problemsOf({ HOST: host, PUBLIC_URL: '' })).toHaveLength(1);
    expect(parseConfig({ HOST: host, PUBLIC_URL: 'https://sluice.example.com' }).host).toBe(host);
  });

  it.each(['127.0.0.1', '127.0.0.2', 'localhost', '::1', '[::1]'])('is not required when HOST is %s', (host) => {
    expect(problemsOf({ HOST: host })).toEqual([]);
  });

  it('that is wrong is not called missing as well', () => {
    expect(problemsOf({ HOST: '0.0.0.0', PUBLIC_URL: 'nonsense' })).toHaveLength(1);
  });
});

it.each([
  ['is DATA_DIR', '/srv/sluice', '/srv/sluice/'],
  ['is above DATA_DIR', '/srv/sluice', '/srv'],
  ['is the root', '/srv/sluice', '/'],
])('refuses a WORKSPACES_DIR that %s', (_title, DATA_DIR, WORKSPACES_DIR) => {
  expect(problemsOf({ DATA_DIR, WORKSPACES_DIR })).toEqual([
    expect.stringMatching(/^WORKSPACES_DIR: .* is DATA_DIR or a folder above it, e\.g\. WORKSPACES_DIR=/),
  ]);
});

it('takes a WORKSPACES_DIR in or beside DATA_DIR', () => {
  for (const WORKSPACES_DIR of ['/srv/sluice/trees', '/srv/sluice-trees', '/srv/slui']) {
    expect(parseConfig({ DATA_DIR: '/srv/sluice', WORKSPACES_DIR }).workspacesDir).toBe(WORKSPACES_DIR);
  }
});

describe('the registration of local repositories', () => {
  it.each<[string, Record<string, string>, boolean]>([
    ['on by default', {}, true],
    ['on when PUBLIC_URL is localhost', { PUBLIC_URL: 'http://localhost:3000' }, true],
    ['on when PUBLIC_URL is [::1]', { PUBLIC_URL: 'http://[::1]:3000' }, true],
    ['off when PUBLIC_URL is not loopback', { PUBLIC_URL: 'https://sluice.example.com' }, false],
    ['off when HOST is not loopback', { HOST: '0.0.0.0', PUBLIC_URL: 'http://localhost:3000' }, false],
    ['off behind a proxy', { TRUST_PROXY: 'loopback' }, false],
    ['on behind no proxy', { TRUST_PROXY: 'off' }, true],
    ['on where it is asked for', { TRUST_PROXY: 'loopback', ALLOW_LOCAL_REPOS: 'on' }, true],
    ['off where it is not wanted', { ALLOW_LOCAL_REPOS: '0' }, false],
  ])('is %s', (_title, environment, expected) => {
    expect(parseConfig(environment).allowLocalRepos).toBe(expected);
  });

  it('is limited to operators unless they allow it to all', () => {
    expect(parseConfig({}).localReposFor).toBe('operators');
    expect(parseConfig({ ALLOW_LOCAL_REPOS: 'on' })).toMatchObject({
      allowLocalRepos: true,
      localReposFor: 'everybody',
    });
  });
});

describe('registration', () => {
  it.each<[string, Record<string, string>, string]>([
    ['open by default', {}, 'open'],
    ['open where PUBLIC_URL is loopback', { HOST: '0.0.0.0', PUBLIC_URL: 'http://localhost:3000' }, 'open'],
    ['for the first user where PUBLIC_URL is not', { PUBLIC_URL: 'https://sluice.example.com' }, 'first-user'],
    ['open where PUBLIC_URL is loopback, also behind a proxy', { TRUST_PROXY: 'loopback' }, 'open'],
    ['open where it is asked for', { PUBLIC_URL: 'https://sluice.example.com', REGISTRATION: 'open' }, 'open'],
  ])('is %s', (_title, environment, expected) => {
    expect(parseConfig(environment).registration).toBe(expected);
  });
});

it.each(['ANTHROPIC_API_KEY', 'OPENAI_API_KEY'])(
  'accepts %s without a model that needs it: other programs use it too',
  (name) => expect(problemsOf({ [name]: 'key' })).toEqual([]),
);

describe('the headers for the collector of traces', () => {
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };
  it('are read as pairs, their values as in a URL', () => {
    const headers = 'Authorization=Bearer%20abc%3D%3D, x-tenant=a=b';
    expect(parseConfig({ ...endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers }).tracing?.headers).toEqual({
      authorization: 'Bearer abc==',
      'x-tenant': 'a=b',
    });
  });

  it.each(['hunter2', 'a b=hunter2', 'a=hunter2%0d%0ax', 'a=hunter2%', '=hunter2'])(
    'are refused without being printed: %j',
    (value) => {
      const problems = problemsOf({ ...endpoint, OTEL_EXPORTER_OTLP_HEADERS: value });
      expect(problems).toEqual([expect.stringContaining('is not of the form name=value')]);
      expect(problems.join()).not.toContain('hunter2');
    },
  );
});
