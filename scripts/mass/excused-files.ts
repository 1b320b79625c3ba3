/** Why a small file with one neighbour stays by itself, by its path. */
export const excusedFiles: Readonly<Record<string, string>> = {
  'apps/web/src/issue/failure-advice.ts': 'its tests run in Node, which loads no component',
  'apps/web/src/issue/switch-command.ts': 'its tests run in Node, which loads no component',
  'apps/web/src/markdown/html-as-text.ts': 'its tests run in Node, which loads no component',
  'apps/web/src/timeline/announcement.ts': 'its tests run in Node, which loads no component',
  'packages/core/src/pipeline/stops-at-failure.ts': 'a door of core, which threads of the workspace load alone',
  'packages/workspace/src/project/findings-thread.ts': 'a thread starts from it',
  'packages/workspace/src/project/read-tests-thread.ts': 'a thread starts from it',
  'packages/workspace/src/project/touched-tests-thread.ts': 'a thread starts from it',
};
