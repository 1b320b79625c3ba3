import { type NewRepo, type Repo, repoSettingsSchema } from '@sluice/core/repo';
import { newId } from './ids.ts';

const CREATED = new Date('2026-11-20T09:15:00.000Z');

/** The input that registers a repository, on a unique remote. */
export function aNewRepo(overrides: Partial<NewRepo> = {}): NewRepo {
  const id = overrides.id ?? newId<Repo['id']>();
  return {
    id,
    userId: newId(),
    name: `acme/${id}`,
    url: `https://example.test/acme/${id}`,
    canonicalRemote: `https://example.test/acme/${id}`,
    defaultBranch: 'main',
    provider: 'git',
    codehostRepoId: null,
    setupCommand: null,
    testCommand: null,
    instructions: null,
    settings: repoSettingsSchema.parse({}),
    accessToken: null,
    ...overrides,
  };
}

/** A registered repository on a unique remote. */
export function aRepo(overrides: Partial<Repo> = {}): Repo {
  return {
    ...aNewRepo(overrides),
    activeIssueId: null,
    index: null,
    createdAt: CREATED,
    updatedAt: CREATED,
    ...overrides,
  };
}
