import type { APIRequestContext, Page } from '@playwright/test';
import { apiUser } from './api-user.ts';
import { test as base, expect, register } from './console-test.ts';
import { expectNoSidewaysScroll } from './expect-no-sideways-scroll.ts';
import { makeSampleRepo } from './sample-repo.ts';
import { type HostileStory, seedHostileStory } from './story/hostile-story.ts';
import { hostileName, hostileText } from './story/hostile-text.ts';
import { seedOutcomes } from './story/outcome-story.ts';
import { openSeededDatabase } from './story/seeded-database.ts';

interface HostileWorld extends HostileStory {
  readonly repoId: string;
}

/** The browser's own complaint: the base branch of these issues does not exist. */
const NO_SUCH_BRANCH = /the server responded with a status of 409/;

interface HostilePerson {
  readonly world: HostileWorld;
  readonly session: Awaited<ReturnType<APIRequestContext['storageState']>>;
}

/** The browser of a person in whose data everything is hostile, and a page that is watched for what a text must never cause. */
const test = base.extend<{ world: HostileWorld; caused: string[] }, { hostile: HostilePerson }>({
  hostile: [
    async ({ served, playwright }, use, { project }) => {
      const request = await playwright.request.newContext();
      await register({ request }, served.url);
      const user = apiUser(request, served.url);
      const { id: userId } = await user.get('/auth/me');
      await user.patch('/auth/me', { name: hostileName('PERSON') });
      const repo = await user.post('/repos', {
        url: makeSampleRepo(project.outputDir),
        ...{
          setup_command: hostileText('SETUP'),
          test_command: hostileText('TESTS'),
          instructions: hostileText('GUIDE'),
        },
        settings: {
          issue_templates: [{ name: hostileName('TEMPLATE'), title: hostileName('T'), body: hostileText('B') }],
        },
      });
      using database = openSeededDatabase(served.dataDir);
      database.change('users', userId, { is_operator: 1 });
      database.change('repos', repo.id, { name: hostileName('REPO') });
      const story = seedHostileStory(database, { userId, repoId: repo.id });
      seedOutcomes(database, { repoId: repo.id, issueId: story.done, models: [hostileName('MODEL')] });
      await use({ world: { repoId: repo.id, ...story }, session: await request.storageState() });
      await request.dispose();
    },
    { scope: 'worker' },
  ],
  storageState: async ({ hostile }, use) => await use(hostile.session),
  world: async ({ hostile }, use) => await use(hostile.world),
  caused: async ({ page, served }, use) => {
    const caused: string[] = [];
    page.on('dialog', async (dialog) => {
      caused.push(`a dialog: ${dialog.message()}`);
      await dialog.dismiss();
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(`${served.url}/`)) caused.push(`a request to ${request.url()}`);
    });
    await use(caused);
  },
});

/** Elements and links that only a text which is taken as markup makes. */
async function expectNothingMade(page: Page): Promise<void> {
  const made = await page.evaluate(() => {
    const isOurs = (element: Element) => element.matches('link, script') && element.closest('head') !== null;
    const foreign = 'iframe, object, embed, img, video, audio, base, form[action], style, script, [data-hostile]';
    const elements = [...document.querySelectorAll(foreign)].filter((element) => !isOurs(element));
    const handled = [...document.querySelectorAll('body *')].filter((element) =>
      [...element.attributes].some(({ name }) => name.startsWith('on')),
    );
    const links = [...document.querySelectorAll<HTMLAnchorElement>('a[href]')].filter(
      ({ protocol }) => !/^(https?|mailto):$/.test(protocol),
    );
    return [...elements, ...handled, ...links].map((element) => element.outerHTML.slice(0, 200));
  });
  expect(made).toEqual([]);
}

async function expectHarmless(page: Page, caused: readonly string[]): Promise<void> {
  await expectNothingMade(page);
  await expectNoSidewaysScroll(page, 'a wide window');
  await page.setViewportSize({ width: 360, height: 740 });
  await expectNoSidewaysScroll(page, '360 px');
  await page.setViewportSize({ width: 1280, height: 900 });
  expect(caused).toEqual([]);
}

const MARKUP = '<img src="https://evil.example/p.png" onerror="alert(1)" data-hostile>';

test.use({ allowedComplaints: [NO_SUCH_BRANCH] });

test('hostile texts of an issue at its gate are shown as text', async ({ page, world, caused }) => {
  await page.goto(`/issues/${world.atGate}?view=plan`);
  const title = page.getByRole('heading', { level: 1 });
  await expect(title).toContainText('TITLE <img src=x onerror=alert(1) data-hostile>⟨U+202E⟩');
  await expect(page.getByRole('article')).toContainText(`STEP ${MARKUP}`);
  await expect(page.getByRole('article')).toContainText('⟨U+202E⟩⟨U+2066⟩reversed');
  await expect(page.getByRole('article')).not.toContainText('\u202e');
  await expectHarmless(page, caused);
});

test('hostile texts of agents and commands are shown as text on the timeline', async ({ page, world, caused }) => {
  await page.goto(`/issues/${world.done}?view=activity`);
  await page.getByRole('button', { name: 'Open all' }).click();
  const note = page
    .getByRole('region', { name: 'Activity' })
    .getByRole('listitem')
    .filter({ hasText: `NOTE ${MARKUP}` });
  await expect(note).toBeVisible();
  await expectHarmless(page, caused);
  await page.getByRole('searchbox', { name: 'Search the events' }).fill('SUMMARY');
  await expect(note).toHaveCount(0); // the rows have moved, so that a click meets the one that it means
  await page.getByRole('button', { name: /TOOL/ }).click();
  await expect(page.getByText(`SUMMARY ${MARKUP}`).first()).toBeVisible();
  await expectHarmless(page, caused);
});

test('hostile names and lines are shown as text in the diff', async ({ page, world, caused }) => {
  await page.goto(`/issues/${world.done}?view=diff`);
  await expect(page.getByRole('table', { name: 'Changed lines' })).toBeVisible();
  await expect(page.getByText(`REVIEW ${MARKUP}`).first()).toBeVisible();
  await expectHarmless(page, caused);
  await page.getByRole('searchbox').fill('AFTER');
  await expect(page.getByText('AFTER').first()).toBeVisible();
  await expectHarmless(page, caused);
});

test('hostile output, also a line of a megabyte, is shown as text in the log', async ({ page, world, caused }) => {
  await page.goto(`/issues/${world.done}?view=log`);
  await page.getByRole('searchbox').fill('OUTPUT');
  await expect(page.getByText(/OUTPUT <img/).first()).toBeVisible();
  await expectHarmless(page, caused);
});

test('hostile reasons of a failure are shown as text', async ({ page, world, caused }) => {
  await page.goto(`/issues/${world.failed}?view=activity`);
  await expect(page.getByText(`ERROR ${MARKUP}`).first()).toBeVisible();
  await expectHarmless(page, caused);
});

test('hostile titles are shown as text in the inbox', async ({ page, world, caused }) => {
  await page.goto('/issues');
  await expect(page.locator(`[data-row="${world.atGate}"]`)).toContainText('⟨U+202E⟩');
  await expectHarmless(page, caused);
  await page.goto('/issues?status=cancelled');
  await expect(page.getByRole('listitem').first()).toBeVisible();
  await expectHarmless(page, caused);
});

/** The texts that each page shows, once it shows all. */
const pages: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  '/repos': (page) => expect(page.getByRole('link', { name: /^REPO <img/ })).toBeVisible(),
  '/repos/ID': (page) => expect(page.getByRole('textbox', { name: 'Setup command' })).toHaveValue(/^SETUP <img/),
  '/repos/ID/import': (page) => expect(page.getByRole('heading', { level: 1, name: /REPO <img/ })).toBeVisible(),
  '/issues/new?repo=ID': (page) => expect(page.getByRole('button', { name: /^TEMPLATE <img/ })).toBeVisible(),
  '/settings': (page) => expect(page.getByLabel('Name', { exact: true })).toHaveValue(/^PERSON <img/),
  '/outcomes?period=all&by=model': (page) => expect(page.getByRole('rowheader', { name: /^MODEL <img/ })).toBeVisible(),
  '/admin': (page) => expect(page.getByRole('heading', { name: 'Queue and slots' })).toBeVisible(),
};

test('hostile texts of people and repositories are shown as text', async ({ page, world, caused }) => {
  for (const [path, expectShown] of Object.entries(pages)) {
    await test.step(path, async () => {
      await page.goto(path.replace('ID', world.repoId));
      await expectShown(page);
      await expect(page.getByText(/^Loading/)).toHaveCount(0);
      await expectHarmless(page, caused);
    });
  }
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('option', { name: '⟨U+202E⟩gnp.exe⟨U+2066⟩' })).toBeVisible();
  await expectNothingMade(page);
});
