import { byteSize, type Variable, variable, wholeNumber } from './variable.ts';

const MIB = 1024 ** 2;

/** How large a repository may be that is worked on, and what git may take for it. */
export const repoVariables = {
  REPO_MAX_FILES: variable({
    meaning: 'How many files and folders a commit may have that is checked out.',
    defaultText: '500000',
    example: '500000',
    schema: wholeNumber(1_000, 50_000_000),
  }),
  REPO_MAX_TREE_SIZE: variable({
    meaning: 'How large the files of a commit may be together that is checked out.',
    defaultText: '4GiB',
    example: '4GiB',
    schema: byteSize(16 * MIB),
  }),
  REPO_MAX_CLONE_SIZE: variable({
    meaning: 'How large the clone of a repository may become, history included. No single file may be larger either.',
    defaultText: '8GiB',
    example: '8GiB',
    schema: byteSize(16 * MIB),
  }),
  GIT_MAX_MEMORY: variable({
    meaning: 'Memory that one git process may take on the host.',
    defaultText: '2GiB',
    example: '2GiB',
    schema: byteSize(256 * MIB),
  }),
} as const satisfies Record<string, Variable<unknown>>;
