/** Why a small file with one neighbour stays by itself, by its path. */
export const excusedFiles: Readonly<Record<string, string>> = {
  'apps/cli/src/command/local/refuse-hopeless-approval.ts':
    'a command loads it when it runs, with the service behind it',
  'apps/server/src/compose/spells-out-edits.ts': 'a door of the service, which the command enters alone',
  'apps/server/src/config/repo-variables.ts': 'a group of settings, as its neighbours are',
  'apps/server/src/config/single-sign-on-variables.ts': 'a group of settings, as its neighbours are',
  'apps/web/src/issue/failure-advice.ts': 'its tests run in Node, which loads no component',
  'apps/web/src/issue/switch-command.ts': 'its tests run in Node, which loads no component',
  'apps/web/src/markdown/html-as-text.ts': 'its tests run in Node, which loads no component',
  'apps/web/src/timeline/announcement.ts': 'its tests run in Node, which loads no component',
  'packages/api/src/identity/login/common-password-list.ts': 'it is loaded with the first password, 49,000 words',
  'packages/api/src/transport/trpc/old-names.ts': 'people look the old names up in it',
  'packages/code-search/src/lexical/test/mortal-parser.ts': 'a thread of the tests starts from it',
  'packages/worker/src/engine/retry-policy.ts':
    'a rule of its own with tests of its own; its neighbour records failures',
  'packages/workspace/src/project/findings-thread.ts': 'a thread starts from it',
  'packages/workspace/src/project/read-tests-thread.ts': 'a thread starts from it',
  'packages/workspace/src/project/touched-tests-thread.ts': 'a thread starts from it',
};
