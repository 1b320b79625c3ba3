import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Block, readPage } from './markdown-page.ts';

/** The URL of the checkout. */
export const root = new URL('../../', import.meta.url).href;
export const checkout = fileURLToPath(root);

/** The names of the pages in a folder of the checkout. */
export const namesIn = (folder: string) => readdirSync(join(checkout, folder)).filter((name) => name.endsWith('.md'));

/** The pages for users and operators. What they show is what happens. */
export const pages = ['README.md', ...namesIn('docs').map((name) => `docs/${name}`)].map((path) =>
  readPage(path, root),
);

export const shellBlocks = (blocks: readonly Block[]) => blocks.filter(({ language }) => language === 'sh');
