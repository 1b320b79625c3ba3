import { describe, expect, it } from 'vitest';
import { findBreaches } from './house-rules.ts';

const issueStatuses = ['running', 'completed'];
const rulesBroken = (path: string, text: string) =>
  findBreaches({ path, text, issueStatuses }).map((breach) => breach.rule);

describe('the rules of the house', () => {
  it.each([
    "if (issue.status === 'running') stop();",
    "if ('running' !== issue?.status) stop();",
    "switch (issue.status) { case 'completed': stop(); }",
    "if (['running', 'completed'].includes(issue.status)) stop();",
  ])('refuse a status compared outside the machine: %s', (text) => {
    expect(rulesBroken('packages/worker/src/run.ts', text)).toEqual(['issue-status']);
    expect(rulesBroken('packages/core/src/issue/run-issue.ts', text)).toEqual([]);
    expect(rulesBroken('packages/worker/src/run.test.ts', text)).toEqual([]);
  });

  it('let other statuses be compared: of HTTP, of a settled promise', () => {
    expect(rulesBroken('packages/api/src/a.ts', "r.status === 200 || p.status === 'fulfilled'")).toEqual([]);
  });

  it.each([
    "query.for('update')",
    'db.selectDistinctOn([a])',
    'ilike(a, b)',
    'db.execute(sql)',
    'db.transaction(async () => {})',
  ])('refuse what type-checks and fails on one engine: %s', (text) => {
    expect(rulesBroken('packages/db/src/store.ts', text)).toEqual(['drizzle-pitfall']);
    expect(rulesBroken('packages/api/src/store.ts', text)).toEqual([]);
  });

  it.each([
    'setTimeout(stop, 10)',
    'setInterval(stop, 10)',
    'clearTimeout(timer)',
    'const began = performance.now();',
    'const now = Date.now;',
    'const at = new Date();',
    'const signal = AbortSignal.timeout(10);',
    "import { setTimeout as pause } from 'timers/promises';",
    "import { performance as one } from 'node:perf_hooks';",
    "import { sleep } from '@sluice/core/async';",
    "import { systemTimers as timers } from '@sluice/core/async';",
  ])('refuse time in the worker that no test can stop: %s', (text) => {
    expect(new Set(rulesBroken('packages/worker/src/run.ts', text))).toEqual(new Set(['time-port']));
    expect(rulesBroken('packages/worker/src/run.test.ts', text)).toEqual([]);
    expect(rulesBroken('packages/api/src/run.ts', text)).toEqual([]);
  });

  it.each([
    'const names = Object.keys(appRouter._def.procedures);',
    'const { _def: { resolver } } = procedure;',
    'function stepsOf({ _def }: Procedure) {}',
  ])("refuse tRPC's private parts outside of the route table: %s", (text) => {
    expect(rulesBroken('packages/api/src/openapi/print.ts', text)).toEqual(['trpc-private']);
    expect(rulesBroken('packages/api/src/transport/rest/route-table.ts', text)).toEqual([]);
    expect(rulesBroken('packages/api/test/limits.test.ts', text)).toEqual([]);
  });

  it('let the worker use the time that it was given, and the next turn of the event loop', () => {
    const text =
      "timers.after(10, stop); clock.now(); new Date(text); setImmediate(stop); import type { Timers } from '@sluice/core/async';";
    expect(rulesBroken('packages/worker/src/run.ts', text)).toEqual([]);
  });

  it.each([
    "import { lookup } from 'node:dns/promises';",
    "const { lookup } = await import('dns');",
    "process.getBuiltinModule('node:dns').lookup(host, done);",
    "import { request as send } from 'node:https';",
    "import http from 'node:http';",
    "import * as net from 'node:net';",
    "import { connect, type Socket } from 'node:tls';",
    "const { connect } = await import('node:net');",
    "require('node:http').get(url);",
    "import { Agent } from 'undici';",
    'await fetch(target.url);',
    'await globalThis.fetch(target.url);',
    'new WebSocket(target.url);',
  ])('refuse a look-up of a name, or a connection by one, outside of the module for them: %s', (text) => {
    expect(new Set(rulesBroken('packages/notify/src/post.ts', text))).toEqual(new Set(['host-names']));
    expect(rulesBroken('packages/dns/src/query.ts', text)).toEqual([]);
    expect(rulesBroken('packages/notify/src/post.test.ts', text)).toEqual([]);
    const excused = `// house-rule(host-names): the operator's own host\n${text}`;
    expect(rulesBroken('packages/notify/src/post.ts', excused)).toEqual([]);
  });

  it('let servers listen, addresses be read, and responses be typed', () => {
    const text = `import { createServer, type IncomingMessage, STATUS_CODES } from 'node:http';
      import { isIP, type Socket } from 'node:net';
      import type { Agent } from 'node:https';
      const answer = await session.fetch(path);`;
    expect(rulesBroken('packages/api/src/a.ts', text)).toEqual([]);
  });

  it.each(['packages/db/src/utils/time.ts', 'packages/db/src/types.ts', 'packages/db/src/moveIssue.ts'])(
    'refuse the name %s',
    (path) => {
      expect(rulesBroken(path, '')).toEqual(['name']);
    },
  );

  it('refuse a TODO that does not say what is left', () => {
    const todo = ['TO', 'DO'].join('');
    expect(rulesBroken('packages/db/src/a.ts', `// ${todo} later`)).toEqual(['todo']);
    expect(rulesBroken('packages/db/src/a.ts', `// ${todo}(#7): drop the column once 0.4 is out`)).toEqual([]);
  });

  it.each([
    '/** Of the last attempt, until its answer. */',
    '  /** Those that sign, newest first. */',
    '/**\n * As `find`, on a connection that holds the lock.\n */',
    'type A = { readonly model: /** As the provider knows it. */ string };',
    '// That it is there is said by its value.',
    'const a = 1; // a unit\n\n// Of two with one id the last is meant.\nconst b = 2;',
  ])('refuse a docstring without a subject: %s', (text) => {
    expect(rulesBroken('packages/db/src/a.ts', text)).toEqual(['docstring']);
    expect(rulesBroken('packages/db/test/a.test.ts', text)).toEqual(['docstring']);
    expect(rulesBroken('scripts/a.mjs', text.replace(/^type.*/, '/** Of us. */'))).toEqual(['docstring']);
  });

  it.each([
    "const plan = z.string().describe('Of the last attempt.');",
    `const files = z.array(z.string()).optional().describe(\`Those of \${name}.\`);`,
    "const meta = { openapi: { summary: 'List them', description: 'Those that you may read, ' + 'newest first.' } };",
    "const meta = { 'summary': 'As for users' };",
  ])('refuse a description of the API without a subject: %s', (text) => {
    expect(rulesBroken('packages/api/src/a.ts', text)).toEqual(['docstring']);
    expect(rulesBroken('packages/core/src/a.ts', text)).toEqual(['docstring']);
    expect(rulesBroken('packages/core/test/a.test.ts', text)).toEqual([]);
    expect(rulesBroken('packages/core/src/a.ts', `// house-rule(docstring): quoted\n${text}`)).toEqual([]);
  });

  it.each([
    "const plan = z.string().describe('The plan. Of several, the newest.');",
    `const meta = { title: 'Of mice', name: 'As is', description: text, summary: \`\${count} of them\` };`,
    "describe('Of the last attempt', () => {}); plan.describes('As is'); z.string().describe(words);",
    "const meta = { description: 'Offers a plan.', summary: 'Assign a plan' };",
  ])('let a description begin with its subject, and other texts as they like: %s', (text) => {
    expect(rulesBroken('packages/api/src/a.ts', text)).toEqual([]);
  });

  it.each([
    '/** @throws AppError `repo_busy` */\nexport async function open() {}',
    '/** @param path of the file */\nexport const read = (path: string) => path;',
    '/**\n * @returns null for none\n * @throws Error when it is gone\n */\n\nexport function find() {}',
    '/**\n *\n * @throws Error\n */\nexport default function run() {}',
    '/** @param task the task */\nexport type Open = (task: string) => void;',
  ])('refuse a docstring of an export that has only tags: %s', (text) => {
    expect(rulesBroken('packages/db/src/a.ts', text)).toEqual(['docstring']);
    expect(rulesBroken('scripts/a.ts', text)).toEqual(['docstring']);
  });

  it.each([
    '/** Opens it. @throws AppError `repo_busy` */\nexport async function open() {}',
    '/** @throws AppError `repo_busy` */\nasync function open() {}\nexport const opened = open();',
    'export interface Store {\n  /** @returns null for none */\n  find(): string | null;\n}',
    '// @returns null for none\nexport function find() {}',
    "/** @type {import('a').Config} */\nexport default {};",
  ])('let tags stand alone at what is not exported, and after a sentence: %s', (text) => {
    expect(rulesBroken('packages/db/src/a.ts', text)).toEqual([]);
  });

  it.each([
    '/** The time of the last attempt. */',
    '/** Offers a lock. */',
    '/** Assigns a number. */',
    '/** The rows of a user\n * That it holds. */',
    '// The sizes are those of the vendor.\n// Of two, the larger one counts.',
    'const a = 4; // Of bytes.',
    "const a = '/** Of us. */';",
  ])('let a comment name its subject, and go on as it likes: %s', (text) => {
    expect(rulesBroken('packages/db/src/a.ts', text)).toEqual([]);
  });

  it.each([
    'const MOST_NAMES = 50;',
    'export const LONGEST_LINE = 200;',
    'let LEAST_ALIKE = 0.35;',
    'function f() { const FEWEST_LINES = 12; }',
    'const LONGEST = 500;',
  ])('refuse a limit that is not called MAX or MIN: %s', (text) => {
    expect(rulesBroken('packages/core/src/a.ts', text)).toEqual(['limit-name']);
    expect(rulesBroken('apps/web/test/a.spec.ts', text)).toEqual(['limit-name']);
    expect(rulesBroken('scripts/a.mjs', text)).toEqual(['limit-name']);
  });

  it.each([
    'const MAX_NAMES = 50;',
    'const AT_MOST_ONCE = 1;',
    'const longest = lines.at(-1);',
    'use(MOST_NAMES);',
    'const ALMOST_FULL = 0.9; const { LONGEST_LINE: line } = given;',
  ])('let other names be, and a limit of others be used: %s', (text) => {
    expect(rulesBroken('packages/core/src/a.ts', text)).toEqual([]);
  });

  it('refuse a test title that is no sentence', () => {
    expect(rulesBroken('packages/db/src/a.test.ts', "it('should work', () => {})")).toEqual(['test-title']);
    expect(rulesBroken('packages/db/src/a.test.ts', "it('keeps the order', () => {})")).toEqual([]);
  });

  it.each(["await page.screenshot({ path: 'a.png' })", 'await expect(page).toHaveScreenshot()'])(
    'refuse a picture that a test takes or compares: %s',
    (text) => {
      expect(rulesBroken('apps/web/test/login.spec.ts', text)).toEqual(['picture']);
      expect(rulesBroken('apps/web/test/take-screenshots.ts', text)).toEqual([]);
    },
  );

  it('refuse a server of one test file that leaves it as it is', () => {
    const started = 'const server = await startPostgres();';
    expect(rulesBroken('packages/db/test/a.test.ts', started)).toEqual(['own-server']);
    expect(rulesBroken('packages/db/test/a.test.ts', `${started} await server.kill();`)).toEqual([]);
    expect(rulesBroken('packages/db/test/a.test.ts', 'const server = await sharedPostgres();')).toEqual([]);
    expect(rulesBroken('packages/db/bench/a.bench.ts', started)).toEqual([]);
  });

  it('excuse a line that says why', () => {
    const text = '// house-rule(drizzle-pitfall): add_job exists on Postgres alone\ndb.execute(sql);';
    expect(rulesBroken('packages/db/src/a.ts', text)).toEqual([]);
  });
});
