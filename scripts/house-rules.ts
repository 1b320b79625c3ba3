// The rules that biome cannot express. Each is a small function over the syntax tree of one file.
// `// house-rule(name): why` on a line, or on the line above, excuses it.
import { basename } from 'node:path';
import { type Comment, parseSync } from 'oxc-parser';
import { faultOfDescription, faultOfDocstring, faultOfTags } from './missing-subject.ts';

type Node = Record<string, unknown> & { type: string; start: number };

export interface Breach {
  readonly file: string;
  readonly line: number;
  readonly rule: string;
  readonly message: string;
}

export interface SourceFile {
  readonly path: string;
  readonly text: string;
  /** The statuses of an issue, from the table of the state machine. */
  readonly issueStatuses: readonly string[];
}

interface NodeRule {
  readonly name: string;
  readonly appliesTo: (path: string) => boolean;
  readonly find: (node: Node, file: SourceFile) => string | null;
}

const drawers = new Set([
  'util',
  'utils',
  'helper',
  'helpers',
  'lib',
  'common',
  'shared',
  'misc',
  'types',
  'constants',
]);
const fileName =
  /^[a-z0-9]+(-[a-z0-9]+)*(\.(test|spec|bench|contract|wire|procedure|config|d))*\.(ts|tsx|mts|cts|mjs|cjs|js)$/;
const dotFiles = /^\.[a-z-]+\.cjs$/;

const isTest = (path: string) =>
  /\.(test|spec|contract)\.tsx?$|\/test\/|^packages\/(testing|fake-code-host)\//.test(path);
const isSource = (path: string) => /^(packages|apps)\//.test(path) && !isTest(path);

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;
const isCalled = (node: Node): node is Node & { callee: Node; arguments: Node[] } => node.type === 'CallExpression';

function memberName(node: unknown): string | null {
  if (!isNode(node)) return null;
  if (node.type === 'ChainExpression') return memberName(node.expression);
  if (node.type !== 'MemberExpression' || node.computed === true) return null;
  return String((node.property as Node).name);
}

function text(node: unknown): string | null {
  if (!isNode(node)) return null;
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  return null;
}

function strings(node: unknown): string[] {
  if (!isNode(node)) return [];
  const elements = node.type === 'ArrayExpression' ? (node.elements as unknown[]) : [node];
  return elements.map(text).filter((found) => found !== null);
}

/** The statuses that `.status` is compared with here: `===`, `switch`, or `[…].includes(…)`. */
function comparedWithStatus(node: Node): string[] {
  if (node.type === 'BinaryExpression' && /^[!=]==?$/.test(String(node.operator))) {
    if (memberName(node.left) === 'status') return strings(node.right);
    if (memberName(node.right) === 'status') return strings(node.left);
  }
  if (node.type === 'SwitchStatement' && memberName(node.discriminant) === 'status') {
    return (node.cases as Node[]).flatMap((one) => strings(one.test));
  }
  if (isCalled(node) && memberName(node.callee) === 'includes' && memberName(node.arguments[0]) === 'status') {
    return strings(node.callee.object);
  }
  return [];
}

/** Calls that type-check on both engines and fail, or lose atomicity, on one of them. */
const drizzlePitfalls: Record<string, string> = {
  for: 'row locks exist on Postgres alone; take the dispatch lock',
  distinctOn: 'DISTINCT ON exists on Postgres alone',
  selectDistinctOn: 'DISTINCT ON exists on Postgres alone',
  ilike: 'ILIKE exists on Postgres alone; compare lower(…) with like',
  execute: 'its result differs between the drivers; build the query',
  transaction: "drizzle's transaction() loses atomicity on better-sqlite3; use tx",
};

const timeFunctions = new Set(['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval']);
const timeMembers = new Set(['performance.now', 'performance.timeOrigin', 'Date.now', 'AbortSignal.timeout']);
/** Functions of core that wait by the timers of the process. */
const waitsOfCore = new Set(['sleep', 'retry', 'withDeadline', 'systemTimers']);

/** The use of a clock or of timers that belong to the process, not to one worker in it; null where there is none. */
function globalTime(node: Node): string | null {
  if (node.type === 'ImportSpecifier') {
    const name = String((node.imported as Node).name);
    return waitsOfCore.has(name) || timeFunctions.has(name) ? name : null;
  }
  if (node.type === 'ImportDeclaration') {
    const from = text(node.source) ?? '';
    return /^(node:)?(timers|perf_hooks)/.test(from) ? from : null;
  }
  if (isCalled(node) && timeFunctions.has(String(node.callee.name))) return `${node.callee.name}()`;
  if (node.type === 'MemberExpression' && isNode(node.object)) {
    const name = `${node.object.name}.${memberName(node)}`;
    return timeMembers.has(name) ? name : null;
  }
  const isDateOfNow = node.type === 'NewExpression' && (node.callee as Node).name === 'Date';
  return isDateOfNow && (node.arguments as Node[]).length === 0 ? 'new Date()' : null;
}

const connecting = /^(?:node:)?(?:https?|http2|net|tls|dgram)$/;
/** The members of these modules that connect to a host. */
const connectors = new Set([
  ...['request', 'get', 'connect', 'createConnection', 'createSocket'],
  ...['Agent', 'Socket', 'TLSSocket', 'ClientRequest'],
]);
const webConnectors = new Set(['WebSocket', 'EventSource']);

/** The use of something that looks up names of hosts, or connects to a host by its name; null where there is none. */
function reachesHosts(node: Node): string | null {
  const literal = text(node);
  if (literal !== null && /^(?:node:)?dns(?:\/promises)?$|^undici$/.test(literal)) return literal;
  if (node.type === 'ImportDeclaration' && node.importKind !== 'type') {
    const from = text(node.source) ?? '';
    const reaching = connecting.test(from) ? (node.specifiers as Node[]).find(isConnector) : undefined;
    return reaching === undefined ? null : `${String((reaching.local as Node).name)} of ${from}`;
  }
  const source = node.type === 'ImportExpression' ? node.source : isModuleCall(node) ? node.arguments[0] : null;
  if (connecting.test(text(source) ?? '')) return text(source);
  if (isCalled(node) && (node.callee.name === 'fetch' || isGlobalFetch(node.callee))) return 'fetch()';
  const made = node.type === 'NewExpression' ? String((node.callee as Node).name) : '';
  return webConnectors.has(made) ? made : null;
}

/** A whole module holds all of its connectors. */
function isConnector(specifier: Node): boolean {
  if (specifier.type !== 'ImportSpecifier') return true;
  return specifier.importKind !== 'type' && connectors.has(String((specifier.imported as Node).name));
}

function isModuleCall(node: Node): node is Node & { arguments: Node[] } {
  return isCalled(node) && (node.callee.name === 'require' || memberName(node.callee) === 'getBuiltinModule');
}

function isGlobalFetch(callee: Node): boolean {
  return memberName(callee) === 'fetch' && (callee.object as Node).name === 'globalThis';
}

/** What cannot be done to a server that other test files use. */
const reasonForServer = /\.(?:kill|stop|freeze)\(|alter system|postgresCpu\(/;

/** Names of limits, of which one family is enough: `MAX_` and `MIN_`. */
const otherLimits: Readonly<Record<string, string>> = {
  MOST: 'MAX',
  LONGEST: 'MAX',
  LARGEST: 'MAX',
  HIGHEST: 'MAX',
  DEEPEST: 'MAX',
  LEAST: 'MIN',
  FEWEST: 'MIN',
  SHORTEST: 'MIN',
  SMALLEST: 'MIN',
  LOWEST: 'MIN',
};

const nodeRules: readonly NodeRule[] = [
  { name: 'docstring', appliesTo: (path) => !isTest(path), find: faultOfDescription },
  {
    name: 'limit-name',
    appliesTo: () => true,
    find: (node) => {
      const name = node.type === 'VariableDeclarator' ? String((node.id as Node).name) : '';
      const [, prefix = ''] = /^([A-Z]+)(?:_[A-Z0-9_]+)?$/.exec(name) ?? [];
      const better = Object.hasOwn(otherLimits, prefix) ? otherLimits[prefix] : undefined;
      return better === undefined ? null : `calls a limit ${name}; begin it with ${better}_ and name its unit`;
    },
  },
  {
    name: 'issue-status',
    appliesTo: (path) => isSource(path) && !path.startsWith('packages/core/src/issue/'),
    find: (node, { issueStatuses }) => {
      const status = comparedWithStatus(node).find((word) => issueStatuses.includes(word));
      return status === undefined
        ? null
        : `compares .status with '${status}'; ask a question that packages/core/src/issue answers`;
    },
  },
  {
    name: 'drizzle-pitfall',
    appliesTo: (path) => path.startsWith('packages/db/src/') && !isTest(path),
    find: (node) => {
      if (!isCalled(node)) return null;
      const object = node.callee.object;
      if (isNode(object) && object.name === 'Symbol') return null;
      const called = memberName(node.callee) ?? String(node.callee.name);
      const why = Object.hasOwn(drizzlePitfalls, called) ? drizzlePitfalls[called] : undefined;
      return why === undefined ? null : `calls ${called}(): ${why}`;
    },
  },
  {
    name: 'time-port',
    appliesTo: (path) => path.startsWith('packages/worker/src/') && !isTest(path),
    find: (node) => {
      const what = globalTime(node);
      return what === null
        ? null
        : `uses ${what}: take the time from WorkerDeps, so that a test can stop it for one worker`;
    },
  },
  {
    name: 'trpc-private',
    appliesTo: (path) => isSource(path) && path !== 'packages/api/src/transport/rest/route-table.ts',
    find: (node) =>
      memberName(node) === '_def' || (node.type === 'Property' && (node.key as Node).name === '_def')
        ? 'reads _def, which tRPC keeps for itself: ask the route table (packages/api/src/transport/rest/route-table.ts)'
        : null,
  },
  {
    name: 'host-names',
    // The clients run where the person is who names their server.
    appliesTo: (path) =>
      isSource(path) && path.includes('/src/') && !/^(?:packages\/(?:dns|client)|apps\/web)\//.test(path),
    find: (node) => {
      const what = reachesHosts(node);
      return what === null
        ? null
        : `uses ${what}: resolve names of others by the HostResolver and connect to those addresses alone (pinnedLookup); excuse a host that the operator named`;
    },
  },
  {
    name: 'own-server',
    appliesTo: (path) => /^(packages|apps|sim)\/.*\.test\.ts$/.test(path),
    find: (node, file) => {
      if (!isCalled(node) || !['startPostgres', 'startRedisServer'].includes(String(node.callee.name))) return null;
      return reasonForServer.test(file.text)
        ? null
        : `calls ${node.callee.name}() and leaves the server as it is; use the one of the test run (sharedPostgres, sharedRedis)`;
    },
  },
  {
    name: 'test-title',
    appliesTo: isTest,
    find: (node) => {
      if (!isCalled(node) || !['it', 'test'].includes(String(node.callee.name))) return null;
      const title = text(node.arguments[0]);
      return title !== null && /^(should|works?\b|tests?\b)/i.test(title)
        ? `"${title}" does not describe behaviour; write what happens`
        : null;
    },
  },
  {
    name: 'picture',
    appliesTo: (path) => /\.(test|spec)\.tsx?$/.test(path),
    find: (node) => {
      const called = isCalled(node) ? memberName(node.callee) : null;
      return called === 'screenshot' || called === 'toHaveScreenshot'
        ? `calls ${called}(): expect what the page says; a person takes pictures, by apps/web/test/take-screenshots.ts`
        : null;
    },
  },
];

function* walk(value: unknown): Generator<Node> {
  if (Array.isArray(value)) for (const one of value) yield* walk(one);
  if (!isNode(value)) return;
  yield value;
  for (const child of Object.values(value)) if (typeof child === 'object') yield* walk(child);
}

function faultOfName(path: string): string | null {
  const drawer = path.split('/').find((part) => drawers.has(part.replace(/\..*$/, '')));
  if (drawer !== undefined) return `"${drawer}" is a drawer; name the concept`;
  const name = basename(path);
  return fileName.test(name) || dotFiles.test(name) ? null : `"${name}" is not kebab-case`;
}

function faultOfComment({ value }: Comment): string | null {
  if (/\b(FIXME|XXX|HACK)\b/.test(value)) return 'write "TODO: what is left and why"';
  return /\bTODO\b/.test(value) && !/\bTODO(\(#\d+\))?: \S.{14,}/.test(value)
    ? 'a TODO says what is left and why: "TODO: …" or "TODO(#12): …"'
    : null;
}

/** Every breach of a house rule in one file. */
export function findBreaches(file: SourceFile): Breach[] {
  const { path, text: source } = file;
  const lines = source.split('\n');
  const lineAt = (offset: number) => source.slice(0, offset).split('\n').length;
  const isExcused = (line: number, rule: string) =>
    [lines[line - 1], lines[line - 2]].some((one) => one?.includes(`// house-rule(${rule}): `));

  const breaches: Breach[] = [];
  const note = (rule: string, line: number, message: string | null) => {
    if (message !== null && !isExcused(line, rule)) breaches.push({ file: path, line, rule, message });
  };

  note('name', 1, faultOfName(path));
  const { program, comments } = parseSync(path, source);
  for (const comment of comments) {
    const line = lineAt(comment.start);
    note('todo', line, faultOfComment(comment));
    note('docstring', line, faultOfDocstring(comment, lines, line) ?? faultOfTags(comment, source));
  }
  const rules = nodeRules.filter((rule) => rule.appliesTo(path));
  if (rules.length === 0) return breaches;
  for (const node of walk(program)) {
    for (const rule of rules) note(rule.name, lineAt(node.start), rule.find(node, file));
  }
  return breaches;
}
