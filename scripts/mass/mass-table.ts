import type { MassRow } from './mass.ts';

/**
 * The size of each package, and what planned capabilities may add to it. Tests, test kits and printed files are not counted. A
 * change that needs more raises the row in the same commit and says why in `raised`; a new package, or one that has doubled, needs
 * an ADR. Reviewers hold both: the check only sees that a row is not exceeded.
 */
export const massTable: Readonly<Record<string, MassRow>> = {
  'apps/cli': {
    lines: 11_054,
    files: 165,
    names: 0,
    planned: { lines: 900, files: 10, names: 0, for: 'follow-ups, batches, usage' },
  },
  'apps/server': {
    lines: 7_225,
    files: 97,
    names: 51,
    planned: { lines: 700, files: 7, names: 4, for: 'settings and doctor of all of these' },
  },
  'apps/web': {
    lines: 25_736,
    files: 400,
    names: 0,
    planned: {
      lines: 2_500,
      files: 30,
      names: 0,
      for: 'comments on lines, pages over time, selection in the inbox, connecting a host',
    },
  },
  'packages/agents': {
    lines: 13_470,
    files: 151,
    names: 19,
    planned: { lines: 900, files: 9, names: 2, for: 'packages of ten vendors, and what is attached to an issue' },
    raised: [
      'a reader in front of the SDK takes the answers that it cannot read, and tells what they are',
      'a table says what makes each family think, another what each server wants back and refuses',
      'the advice of a repository is read whole, by place and glob, and loops are judged by progress',
    ],
  },
  'packages/api': {
    lines: 14_642,
    files: 220,
    names: 19,
    planned: {
      lines: 1_200,
      files: 18,
      names: 2,
      for: 'follow-ups, batches, the App of the code host, usage of limits',
    },
  },
  'packages/client': {
    lines: 1_221,
    files: 18,
    names: 73,
    planned: { lines: 200, files: 2, names: 8, for: 'follow-ups and batches' },
  },
  'packages/code-host': {
    lines: 3_116,
    files: 38,
    names: 4,
    planned: { lines: 1_500, files: 16, names: 4, for: 'further hosts, and the App' },
  },
  'packages/code-search': { lines: 5_975, files: 83, names: 5 },
  'packages/core': {
    lines: 16_971,
    files: 254,
    names: 823,
    planned: {
      lines: 1_200,
      files: 14,
      names: 60,
      for: 'checks before publication, verification of a plan, follow-ups with remarks, batches, environments',
    },
  },
  'packages/db': {
    lines: 16_782,
    files: 177,
    names: 25,
    planned: {
      lines: 900,
      files: 8,
      names: 2,
      for: 'owners of shared resources, batches, remarks, snapshots of environments',
    },
  },
  'packages/dns': { lines: 355, files: 4, names: 1 },
  'packages/notify': { lines: 761, files: 11, names: 8 },
  'packages/oidc': { lines: 568, files: 6, names: 3 },
  'packages/redis': { lines: 576, files: 9, names: 9 },
  'packages/sandbox': {
    lines: 3_093,
    files: 30,
    names: 3,
    planned: { lines: 500, files: 5, names: 2, for: 'overlays and allowed hosts of an environment' },
  },
  'packages/test-integrity': {
    lines: 6_108,
    files: 70,
    names: 5,
    planned: { lines: 400, files: 4, names: 1, for: 'a place of each criterion in the diff' },
  },
  'packages/worker': {
    lines: 9_329,
    files: 107,
    names: 11,
    planned: {
      lines: 1_200,
      files: 14,
      names: 2,
      for: 'verification after the tests, publication checks, follow-ups with remarks',
    },
  },
  'packages/workspace': {
    lines: 9_349,
    files: 113,
    names: 9,
    planned: { lines: 900, files: 9, names: 3, for: 'large files, environments from the repository, snapshots' },
  },
};
