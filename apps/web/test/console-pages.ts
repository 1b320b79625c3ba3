import type { Page } from '@playwright/test';
import type { SeededWorld } from './seeded-world.ts';

interface ConsolePage {
  readonly name: string;
  readonly path: (world: SeededWorld) => string;
  /** An element that is there once the page has loaded all that it shows. */
  readonly ready: (page: Page) => ReturnType<Page['getByRole']>;
}

/** Every page that a person with a session can see, in each of its states. */
export const consolePages: readonly ConsolePage[] = [
  {
    name: 'inbox',
    path: () => '/issues',
    ready: (page) => page.getByRole('link', { name: 'Print a discount as a percentage' }),
  },
  { name: 'inbox by status', path: () => '/issues?status=completed', ready: (page) => page.getByRole('listitem') },
  { name: 'new issue', path: () => '/issues/new', ready: (page) => page.getByLabel('Title') },
  {
    name: 'plan gate',
    path: ({ atGate }) => `/issues/${atGate}`,
    ready: (page) => page.getByText('What changed since revision 1'),
  },
  {
    name: 'activity',
    path: ({ done }) => `/issues/${done}?view=activity`,
    ready: (page) => page.getByRole('button', { name: 'Implement' }),
  },
  {
    name: 'activity of a running issue',
    path: ({ running }) => `/issues/${running}?view=activity`,
    ready: (page) => page.getByRole('button', { name: 'Implement' }),
  },
  {
    name: 'diff',
    path: ({ done }) => `/issues/${done}?view=diff`,
    ready: (page) => page.getByRole('heading', { name: 'Changed files' }),
  },
  {
    name: 'log',
    path: ({ done }) => `/issues/${done}?view=log`,
    ready: (page) => page.getByText('added 212 packages'),
  },
  {
    name: 'failure',
    path: ({ failed }) => `/issues/${failed}?view=activity`,
    ready: (page) => page.getByRole('button', { name: 'Prepare' }),
  },
  { name: 'repositories', path: () => '/repos', ready: (page) => page.getByRole('link', { name: 'invoice' }) },
  { name: 'new repository', path: () => '/repos/new', ready: (page) => page.getByRole('textbox') },
  {
    name: 'repository',
    path: ({ repoId }) => `/repos/${repoId}`,
    ready: (page) => page.getByLabel('Test command'),
  },
  {
    name: 'import',
    path: ({ repoId }) => `/repos/${repoId}/import`,
    ready: (page) => page.getByRole('heading', { level: 2 }),
  },
  {
    name: 'outcomes',
    path: () => '/outcomes?by=model',
    ready: (page) => page.getByRole('heading', { name: 'Why they were closed' }),
  },
  {
    name: 'settings',
    path: () => '/settings',
    ready: (page) => page.getByRole('button', { name: 'Test The deploy bot' }),
  },
  {
    name: 'admin',
    path: () => '/admin',
    ready: (page) => page.getByRole('list', { name: 'Repositories' }),
  },
  {
    name: 'audit log',
    path: () => '/admin/audit',
    ready: (page) => page.getByRole('list', { name: 'Audit log' }),
  },
];

/** Every run looks at these pages, which people see most; the deep tests look at all of them. */
export function isUsualPage({ name }: ConsolePage): boolean {
  return ['inbox', 'plan gate', 'diff'].includes(name);
}
