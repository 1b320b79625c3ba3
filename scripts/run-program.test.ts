import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { beforeEach, expect, it, onTestFinished } from 'vitest';

const scripts = fileURLToPath(new URL('.', import.meta.url));

/** Packages that a bundle of this checkout has links to. */
const binaryPackages = {
  'packages/api': ['@node-rs/argon2'],
  'packages/code-search': ['sqlite-vec', '@vscode/tree-sitter-wasm', 'web-tree-sitter'],
  'packages/db': ['better-sqlite3'],
  'packages/sandbox': ['sharp'],
  'packages/workspace': ['@vscode/ripgrep'],
};

// Programs of a few lines, which print what they are made of.
const WORD = 'packages/api/src/word.ts';
const THEIRS = 'node_modules/theirs/index.js';
const files = {
  'package.json': '{ "type": "module" }',
  'apps/server/src/main.ts': "console.log('serves');",
  'apps/cli/src/main.ts': `import { createInterface } from 'node:readline';
import { from, theirs } from 'theirs';
import { word } from '../../../${WORD}';

const [, , way = ''] = process.argv;
if (way === 'fail') throw new Error('it failed');
if (way === 'wait') {
  console.log('waits');
  for await (const line of createInterface({ input: process.stdin })) console.log(line);
  const { later } = await import('../../../packages/api/src/later.ts');
  console.log(later);
}
console.log([word, theirs, from].join(' '));`,
  [WORD]: "export const word: string = 'one';",
  'packages/api/src/later.ts': "export const later: string = 'later';",
  'node_modules/theirs/package.json':
    '{ "name": "theirs", "version": "1.0.0", "type": "module", "exports": "./index.js" }',
  [THEIRS]: `export const theirs = 'theirs';
export const from = import.meta.url.includes('.sluice-programs') ? 'bundle' : 'sources';`,
};

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'sluice-run-program-')));
  const made = root;
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) write(path, content);
  for (const [folder, names] of Object.entries(binaryPackages))
    for (const name of names) write(`${folder}/node_modules/${name}/package.json`, '{}');
  for (const name of readdirSync(scripts).filter((each) => /^build$|\.mjs$|^build-programs\.ts$/.test(each)))
    cpSync(join(scripts, name), join(root, 'scripts', name), { recursive: true });
  for (const name of ['rolldown', 'oxc-parser'])
    symlinkSync(realpathSync(join(scripts, '../node_modules', name)), join(root, 'node_modules', name));
});

function write(path: string, content: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}

interface How {
  /** Options of Node. */
  readonly node?: readonly string[];
  /** A command that runs the command which follows it. */
  readonly below?: readonly string[];
}

function start(args: readonly string[], { node = [], below = [] }: How = {}): ChildProcess {
  const [command = '', ...words] = [
    ...below,
    process.execPath,
    ...node,
    join(root, 'scripts/run-program.mjs'),
    ...args,
  ];
  return spawn(command, words, { env: { PATH: process.env.PATH } });
}

async function run(args: readonly string[], how?: How) {
  const child = start(args, how);
  const [stdout, stderr] = await Promise.all([text(child.stdout as never), text(child.stderr as never)]);
  return { stdout: stdout.trim(), stderr, bundled: stderr.includes('bundling the programs') };
}

const bundles = () => readdirSync(join(root, 'node_modules/.sluice-programs')).filter((name) => name !== 'built.json');

/** Writes a file again in a way that its size and time do not tell. */
function replaceUnseen(path: string, from: string, to: string): void {
  const { atime, mtime } = statSync(join(root, path));
  write(path, readFileSync(join(root, path), 'utf8').replace(from, to));
  utimesSync(join(root, path), atime, mtime);
}

it('runs the sources without a bundle, and the bundle once it is built', async () => {
  expect(await run(['sluice'])).toEqual({ stdout: 'one theirs sources', stderr: '', bundled: false });
  expect(await run(['--build', 'sluice'])).toMatchObject({ stdout: 'one theirs bundle', bundled: true });
  expect(await run(['--build', 'sluice'])).toEqual({ stdout: 'one theirs bundle', stderr: '', bundled: false });
  expect(await run(['sluice'])).toMatchObject({ stdout: 'one theirs bundle' });
  expect(await run(['server'])).toMatchObject({ stdout: 'serves' });
  expect(bundles()).toHaveLength(1);
});

it('runs an edited source at once, even one of the same size and time, and bundles it when asked to', async () => {
  await run(['--build', 'sluice']);
  replaceUnseen(WORD, 'one', 'two');
  expect(await run(['sluice'])).toMatchObject({ stdout: 'two theirs sources', bundled: false });
  expect(await run(['--build', 'sluice'])).toMatchObject({ stdout: 'two theirs bundle', bundled: true });
});

it('keeps the bundle when a file is only touched, or a test changes', async () => {
  await run(['--build', 'sluice']);
  utimesSync(join(root, WORD), 1, 1);
  write('packages/api/src/word.test.ts', '');
  expect(await run(['sluice'])).toMatchObject({ stdout: 'one theirs bundle' });
});

it('runs the sources after a change of anything else that the bundle contains', async () => {
  await run(['--build', 'sluice']);
  const cache = 'scripts/build/compile-cache.ts';
  const changes = {
    'pnpm-lock.yaml': 'lockfileVersion: 9',
    [cache]: `${readFileSync(join(root, cache))}\n`,
    'packages/db/migrations/sqlite/0001.sql': 'select 1;',
    'node_modules/.sluice-programs/built.json': '{ "folder": "bun',
    [THEIRS]: `${files[THEIRS]}\n`, // last, as its time counts
  };
  for (const [path, content] of Object.entries(changes)) {
    const before = existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : null;
    write(path, content);
    expect(await run(['sluice']), path).toMatchObject({ stdout: 'one theirs sources', stderr: '' });
    if (before === null) rmSync(join(root, path));
    else write(path, before);
    if (path !== THEIRS) expect(await run(['sluice']), path).toMatchObject({ stdout: 'one theirs bundle' });
  }
});

it('does not run what another Node has bundled', async () => {
  await run(['--build', 'sluice']);
  const other = "data:text/javascript,Object.defineProperty(process, 'version', { value: 'v24.99.0' })";
  expect(await run(['sluice'], { node: ['--import', other] })).toMatchObject({ stdout: 'one theirs sources' });
});

it('does not run the bundle of the checkout that it was copied from', async () => {
  await run(['--build', 'sluice']);
  const copy = `${root}-copy`;
  cpSync(root, copy, { recursive: true, verbatimSymlinks: true });
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }));
  root = copy;
  expect(await run(['sluice'])).toMatchObject({ stdout: 'one theirs sources' });
});

it('bundles once for two programs that start at once', async () => {
  const both = await Promise.all([run(['--build', 'sluice']), run(['--build', 'sluice'])]);
  expect(both.map(({ stdout }) => stdout)).toEqual(['one theirs bundle', 'one theirs bundle']);
  expect(bundles()).toHaveLength(1);
});

it('runs the sources after a build that was killed, and builds again', async () => {
  rmSync(join(root, THEIRS));
  execFileSync('/bin/sh', ['-c', 'exec "$0" "$1"', 'mkfifo', join(root, THEIRS)]); // the bundler waits for what it reads
  const build = spawn(process.execPath, [join(root, 'scripts/build-programs.ts')], { stdio: 'ignore' });
  await expect.poll(() => existsSync(join(root, 'node_modules/.sluice-programs')) && bundles().length).toBe(1);
  build.kill('SIGKILL');
  await once(build, 'exit');
  rmSync(join(root, THEIRS));
  write(THEIRS, files[THEIRS]);
  expect(await run(['sluice'])).toMatchObject({ stdout: 'one theirs sources' });
  expect(await run(['--build', 'sluice'])).toEqual({
    stdout: 'one theirs bundle',
    stderr: 'sluice: bundling the programs (once; the next start skips this)\n',
    bundled: true,
  });
});

it('runs the sources in a checkout that is only read, and a bundle that is there', async () => {
  const below = ['bwrap', '--dev-bind', '/', '/', '--ro-bind', root, root];
  expect(await run(['--build', 'sluice'], { below })).toEqual({
    stdout: 'one theirs sources',
    stderr: '',
    bundled: false,
  });
  await run(['--build', 'sluice']);
  expect(await run(['--build', 'sluice'], { below })).toEqual({
    stdout: 'one theirs bundle',
    stderr: '',
    bundled: false,
  });
});

it('runs the sources when they cannot be bundled, and prints why', async () => {
  write('packages/api/src/later.ts', "import './absent.ts';\nexport const later: string = 'later';");
  const { stdout, stderr } = await run(['--build', 'sluice']);
  expect(stdout).toBe('one theirs sources');
  expect(stderr).toContain('./absent.ts');
  expect(stderr).toContain('their sources run');
});

it('refuses to bundle a file that does not count', async () => {
  write('elsewhere.ts', "export const elsewhere = 'elsewhere';");
  write(WORD, "export { elsewhere as word } from '../../../elsewhere.ts';");
  const { stdout, stderr } = await run(['--build', 'sluice']);
  expect(stdout).toBe('elsewhere theirs sources');
  expect(stderr).toContain('A change of elsewhere.ts would not be seen');
});

it('names the source in the stack of an error', async () => {
  await run(['--build', 'sluice']);
  const { stderr } = await run(['sluice', 'fail']);
  expect(stderr).toContain('/apps/cli/src/main.ts:6');
});

it('keeps a bundle for a program that runs, and removes it afterwards', async () => {
  await run(['--build', 'sluice']);
  const [old = ''] = bundles();
  const child = start(['sluice', 'wait']);
  const lines = createInterface({ input: child.stdout as never })[Symbol.asyncIterator]();
  expect((await lines.next()).value).toBe('waits');
  const buildAgain = async (word: string) => {
    for (const name of bundles()) utimesSync(join(root, 'node_modules/.sluice-programs', name), 1, 1);
    write(WORD, `export const word: string = '${word}';`);
    await run(['--build', 'sluice']);
  };
  await buildAgain('two');
  child.stdin?.end();
  expect((await lines.next()).value).toBe('later');
  expect((await lines.next()).value).toBe('one theirs bundle');
  await once(child, 'close');
  expect(bundles()).toContain(old);
  await buildAgain('six');
  expect(bundles()).toHaveLength(1);
});
