import { byteSize, type Variable, wholeNumber } from './variable.ts';

const MIB = 1024 ** 2;

/** Limits on the size of a repository, and on the memory that git may use for it. */
export const repoVariables = {
  REPO_MAX_FILES: {
    meaning: 'Limit of files and folders in a commit that is checked out.',
    default: '500000',
    example: '500000',
    schema: wholeNumber(1_000, 50_000_000),
  },
  REPO_MAX_TREE_SIZE: {
    meaning: 'Limit of the total file size of a commit that is checked out.',
    default: '4GiB',
    example: '4GiB',
    schema: byteSize(16 * MIB),
  },
  REPO_MAX_CLONE_SIZE: {
    meaning: 'Limit of the size of a clone, history included; also the limit of a single file.',
    default: '8GiB',
    example: '8GiB',
    schema: byteSize(16 * MIB),
  },
  GIT_MAX_MEMORY: {
    meaning: 'Memory limit of each git process on the host.',
    default: '2GiB',
    example: '2GiB',
    schema: byteSize(256 * MIB),
  },
} as const satisfies Record<string, Variable>;
