/** Why a small file with one neighbour stays by itself, by its path. */
export const excusedFiles: Readonly<Record<string, string>> = {
  'apps/web/src/issue/failure-advice.ts': 'its tests run in Node, which loads no component',
  'apps/web/src/issue/switch-command.ts': 'its tests run in Node, which loads no component',
  'apps/web/src/markdown/html-as-text.ts': 'its tests run in Node, which loads no component',
  'apps/web/src/timeline/announcement.ts': 'its tests run in Node, which loads no component',
};
