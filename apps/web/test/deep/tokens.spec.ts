import { expect, register, test } from '../console-test.ts';
import { FIX, makeScratchRepo } from '../scratch-repo.ts';
import { serveConsole } from '../serve-console.ts';
import { startIssue } from '../start-issue.ts';

// Usual way: packages/api/test/api-tokens.test.ts

test('an API token is created for a repository, shown once, used and revoked', async ({ page, context, serve }) => {
  using repo = makeScratchRepo();
  const { url } = await serve(() => serveConsole({ API_TOKENS: 'on' }));
  await register(context, url);
  const { repoId } = await startIssue(context.request, { url, path: repo.path, body: FIX });
  await page.goto(`${url}/settings#tokens`);
  const section = page.locator('#tokens');
  await section.getByLabel('Name').fill('CI of shop');
  await section.getByLabel('Scope').selectOption('write');
  await section.getByLabel('Repository').selectOption(repoId);
  await section.getByRole('button', { name: 'Create a token' }).click();
  const token = (await section.getByText(/^slc_/).textContent()) ?? '';
  const row = section.getByRole('listitem');
  await expect(row).toContainText('CI of shop');
  await expect(row).toContainText('Never used.');
  const ask = async () => {
    const answer = await fetch(`${url}/api/repos`, {
      headers: { authorization: `Bearer ${token}`, 'user-agent': 'curl/8' },
    });
    return [answer.status, answer.ok ? ((await answer.json()) as { items: unknown[] }).items.length : 0];
  };
  expect(await ask()).toEqual([200, 1]);
  await page.reload();
  await expect(row).toContainText('by curl');
  await expect(page.getByText(token)).toBeHidden();

  await page.goto(`${url}/repos/${repoId}`);
  await section.getByRole('button', { name: 'Revoke the token CI of shop' }).click();
  await expect(section).toBeHidden();
  expect(await ask()).toEqual([401, 0]);
});

test('a server without API tokens offers none', async ({ page, account: _ }) => {
  await page.goto('/settings');
  await expect(page.getByRole('heading', { name: 'Sessions' })).toBeVisible();
  await expect(page.locator('#tokens')).toBeHidden();
  await expect(page.getByRole('link', { name: 'API tokens' })).toBeHidden();
});
