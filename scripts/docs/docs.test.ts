import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProgram } from '../../apps/cli/src/program.ts';
import { builtProgram, isSoakRun } from '../../packages/testing/src/index.ts';
import { faultOfCall, faultOfMention } from './fault-of-call.ts';
import { type Block, readPage } from './markdown-page.ts';
import { sceneOf } from './scenes.ts';
import { openScratchReader } from './scratch-reader.ts';
import { shellCalls } from './shell-calls.ts';

const root = new URL('../../', import.meta.url).href;
const checkout = fileURLToPath(root);
const program = createProgram('0.0.0', () => {});
/** What a page can name: the command, and the scripts of the root and of the package that the page is about. */
function knownTo(path: string) {
  const manifests = ['package.json', join(dirname(path), 'package.json')].map((file) => join(checkout, file));
  const scripts = manifests
    .filter((file) => existsSync(file))
    .flatMap((file) => Object.keys(JSON.parse(readFileSync(file, 'utf8')).scripts ?? {}));
  return { program, scripts: new Set(scripts) };
}

const namesIn = (folder: string) => readdirSync(join(checkout, folder)).filter((name) => name.endsWith('.md'));
const pages = ['README.md', ...namesIn('docs').map((name) => `docs/${name}`)].map((path) => readPage(path, root));
/** Whose links and mentions are looked at too; what they show is for those who work on Sluice. */
const others = [
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...namesIn('docs/adr').map((name) => `docs/adr/${name}`),
  ...['apps', 'packages'].flatMap((folder) =>
    readdirSync(join(checkout, folder)).map((name) => `${folder}/${name}/README.md`),
  ),
].filter((path) => existsSync(join(checkout, path)));
const everyPage = [...pages, ...others.map((path) => readPage(path, root))];
const shell = (blocks: readonly Block[]) => blocks.filter(({ language }) => language === 'sh');

/** The blocks that are really done. */
const running = (blocks: readonly Block[]) => shell(blocks).filter(({ marks }) => marks.notRun === null);

describe('what a page says is true', () => {
  let ran = 0;
  let built: string;
  beforeAll(async () => {
    built = dirname(await builtProgram('sluice'));
  });
  afterAll(() => {
    const parsed = pages.flatMap(({ blocks }) => shell(blocks)).filter(({ marks }) => marks.notRun !== null);
    const why = parsed.map(({ place, marks }) => `\n  ${place}: ${marks.notRun}`);
    console.log(`${ran} blocks of commands ran, ${parsed.length} were only parsed:${why.join('')}`);
  });

  const done = pages.filter(({ path, blocks }) => running(blocks).length > 0 && (isSoakRun || !sceneOf(path).isLong));
  it.each(done)('the commands of $path do it', async (page) => {
    await using reader = await openScratchReader({ checkout, built }, sceneOf(page.path));
    for (const block of running(page.blocks)) {
      const { code, output, expected } = await reader.run(block);
      ran += 1;
      expect(code, `${block.place} ended otherwise:\n${output}`).toBe(block.marks.exitCode);
      if (expected !== null) expect(output, block.place).toMatch(expected);
    }
  });
});

it.each(pages.filter(({ blocks }) => blocks.length > 0))(
  '$path has commands and JSON that can be read',
  ({ blocks }) => {
    for (const { language, text, place } of blocks) {
      // What is not called "sh" would not be run.
      expect(language, place).not.toMatch(/^(bash|shell|console|zsh|)$/);
      if (language === 'json') JSON.parse(text);
      if (language !== 'sh') continue;
      const { status, stderr } = spawnSync('bash', ['-n'], { input: text, encoding: 'utf8' });
      expect(status, `${place}: ${stderr}`).toBe(0);
    }
  },
);

it.each(everyPage)('$path names commands and options that there are', ({ path, blocks, codeSpans }) => {
  const known = knownTo(path);
  const calls = shell(blocks).flatMap(({ text, place }) => shellCalls(text).map((call) => ({ call, place })));
  const faults = [
    ...calls.map(({ call, place }) => ({ said: call.join(' '), place, fault: faultOfCall(call, known) })),
    ...codeSpans.map(({ text, place }) => ({ said: text, place, fault: faultOfMention(text, known) })),
  ];
  expect(faults.filter(({ fault }) => fault !== null)).toEqual([]);
});

it.each(everyPage.filter(({ links }) => links.length > 0))('$path links to what is there', ({ path, links }) => {
  expect(links.filter(({ target }) => !/^(https?|mailto):/.test(target) && !leads(path, target))).toEqual([]);
});

it('lists every page of docs/ in its index', () => {
  const index = everyPage.find(({ path }) => path === 'docs/README.md')?.links.map(({ target }) => target) ?? [];
  expect(namesIn('docs').filter((name) => name !== 'README.md' && !index.includes(name))).toEqual([]);
});

/** Whether a link of a page leads somewhere: a file or a folder, and a heading in it where one is named. */
function leads(from: string, target: string): boolean {
  const [file = '', anchor] = target.split('#');
  const found = file === '' ? from : new URL(file, new URL(from, root)).href.slice(root.length);
  if (!existsSync(join(checkout, found))) return false;
  return anchor === undefined || readPage(found, root).anchors.has(anchor);
}
