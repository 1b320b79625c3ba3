import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { createProgram } from '../../apps/cli/src/program.ts';
import { faultOfCall, faultOfMention } from './fault-of-call.ts';
import { readPage } from './markdown-page.ts';
import { shellCalls } from './shell-calls.ts';
import { checkout, namesIn, pages, root, shellBlocks } from './written-pages.ts';

const program = createProgram('0.0.0', () => {});
/**
 * The names that a page can use: the command, and the scripts of the root and of the package that the page is about.
 */
function knownTo(path: string) {
  const manifests = ['package.json', join(dirname(path), 'package.json')].map((file) => join(checkout, file));
  const scripts = manifests
    .filter((file) => existsSync(file))
    .flatMap((file) => Object.keys(JSON.parse(readFileSync(file, 'utf8')).scripts ?? {}));
  return { program, scripts: new Set(scripts) };
}

/** Pages whose links and mentions are checked too; their examples are for those who work on Sluice. */
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
  const calls = shellBlocks(blocks).flatMap(({ text, place }) => shellCalls(text).map((call) => ({ call, place })));
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
