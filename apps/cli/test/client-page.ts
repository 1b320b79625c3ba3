import { readFileSync } from 'node:fs';

/** The page about writing a client, whose examples the tests run. */
export const clientPage = readFileSync(new URL('../../../docs/write-a-client.md', import.meta.url), 'utf8');

const blocks = [...clientPage.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language, text = '']) => ({
  language,
  text,
}));

/** The program of the page whose first line is its name. */
export function shownProgram(name: string): string {
  return shown('ts', `// ${name}\n`);
}

/** The shell commands in a block of the page. @param begins how the block begins */
export function shownCommands(begins: string): string {
  return shown('sh', begins);
}

function shown(language: string, begins: string): string {
  const block = blocks.find((one) => one.language === language && one.text.startsWith(begins));
  if (block === undefined) throw new Error(`The page has no ${begins.trim()}`);
  return block.text;
}
