import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeEach, expect, it, onTestFinished } from 'vitest';

const module = new URL('ensure-console.ts', import.meta.url).href;
const program = `import(${JSON.stringify(module)}).then(({ ensureConsole }) => ensureConsole(process.argv[1]))
  .catch((error) => { console.error(error.message); process.exitCode = 1; });`;

/** In a process of its own, as commands do it. Vitest's environment goes along. */
async function ensureConsole(): Promise<void> {
  await promisify(execFile)(process.execPath, ['-e', program, root]);
}

// A console of a few lines, which notes each build.
const sources = {
  'pnpm-lock.yaml': 'lockfileVersion: 9',
  'apps/web/vite.config.js': `import { appendFileSync } from 'node:fs';
export default { plugins: [{ name: 'note', buildStart: () => appendFileSync(new URL('../../builds', import.meta.url), 'x') }] };`,
  'apps/web/package.json': '{ "type": "module" }',
  'apps/web/index.html': '<!doctype html><title>Console</title><script type="module" src="/src/main.ts"></script>',
  'apps/web/src/main.ts': `document.title = process.env.NODE_ENV + ': a title that is long enough to be worth compressing; ${'again, '.repeat(90)}';
void import('./pages/inbox-page.tsx');`,
  'apps/web/src/pages/inbox-page.tsx': "export const InboxPage = () => document.body.append('Inbox');",
};

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sluice-console-'));
  const made = root;
  onTestFinished(() => rmSync(made, { recursive: true }));
  for (const [path, text] of Object.entries(sources)) write(path, text);
});

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

const built = (path: string) => readFileSync(join(root, 'apps/web/dist', path));
const builds = () => readFileSync(join(root, 'builds'), 'utf8').length;

it('builds what people get, each asset with its compressed forms, and not again while nothing changes', async () => {
  await ensureConsole();
  await ensureConsole();
  expect(builds()).toBe(1);
  const [main = ''] = /assets\/index-[\w-]+\.js/.exec(built('index.html').toString()) ?? [];
  expect(built(main).toString()).toContain('production');
  expect(brotliDecompressSync(built(`${main}.br`))).toEqual(built(main));
  expect(gunzipSync(built(`${main}.gz`))).toEqual(built(main));
  expect(JSON.parse(built('.built.json').toString()).modules).toContain('apps/web/src/main.ts');
});

it.each([
  ['again', 'apps/web/src/main.ts', 2],
  ['again', 'pnpm-lock.yaml', 2],
  ['again', 'packages/client/src/index.ts', 2],
  ['nothing', 'apps/web/test/login.spec.ts', 1],
])('builds %s after a change of %s', async (_again, path, times) => {
  await ensureConsole();
  write(path, `${sources[path as keyof typeof sources] ?? ''} `);
  await ensureConsole();
  expect(builds()).toBe(times);
});

it('builds once for two commands that start at once', async () => {
  await Promise.all([ensureConsole(), ensureConsole()]);
  expect(builds()).toBe(1);
});

it('says what failed and leaves the console as it was', async () => {
  await ensureConsole();
  const before = built('index.html');
  write(
    'apps/web/src/pages/inbox-page.tsx',
    "import { nothing } from './absent.ts';\nexport const InboxPage = nothing;",
  );
  await expect(ensureConsole()).rejects.toThrow('./absent.ts');
  expect(built('index.html')).toEqual(before);
  await expect(ensureConsole()).rejects.toThrow('./absent.ts');
  expect(existsSync(join(root, 'node_modules/.sluice-building-console'))).toBe(false);
});

it('refuses a page that is larger than it may be', async () => {
  const noise = Array.from({ length: 60_000 }, (_, n) => ((n * 2_654_435_761) % 4_294_967_296).toString(36)).join();
  write('apps/web/src/pages/inbox-page.tsx', `document.title = ${JSON.stringify(noise)};`);
  await expect(ensureConsole()).rejects.toThrow(/larger than it may be: inbox \d+\.\d KB of 180\.0 KB/);
  expect(existsSync(join(root, 'apps/web/dist'))).toBe(false);
});
