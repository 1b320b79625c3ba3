import { expect, register, test, UNAUTHORIZED, UNREACHABLE } from '../console-test.ts';
import { expectAccessible } from '../expect-accessible.ts';
import { serveConsoleWithServices } from '../serve-console.ts';

// Usual way: packages/api/test/console.test.ts

test('shows the login under its policy, without a complaint of the browser or of axe', async ({ page }) => {
  const answer = await page.goto('/login');
  expect(answer?.headers()['content-security-policy']).toContain("require-trusted-types-for 'script'");
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expectAccessible(page);
});

test('shows a person who is logged in their inbox', async ({ page, account: _ }) => {
  await page.goto('/');
  await expect(page).toHaveURL('/issues');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
});

test.describe('a page without a session', () => {
  test.use({ allowedComplaints: [UNAUTHORIZED] });

  test('leads to the login', async ({ page }) => {
    await page.goto('/repos');
    await expect(page).toHaveURL(/\/login\?/);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  });
});

test.describe('a page that breaks the policy', () => {
  test.use({ allowedComplaints: [/./] });

  test('is stopped by the browser, and noticed', async ({ page }) => {
    await page.goto('/login');
    const [noticed, stopped] = await Promise.all([
      page.waitForEvent('console', (message) =>
        message.text().startsWith('policy violated: require-trusted-types-for'),
      ),
      page
        .evaluate(() => {
          const script = document.createElement('script');
          script.src = 'https://example.com/script.js';
          document.head.append(script);
        })
        .catch((error: Error) => error.message),
    ]);
    expect(noticed.type()).toBe('error');
    expect(stopped).toContain('TrustedScriptURL');
  });
});

test.describe('a page whose service ends', () => {
  test.use({ allowedComplaints: [UNREACHABLE] });

  test('is served again at the same address, with the same session', async ({ page, context, serve }) => {
    const own = await serve();
    await register(context, own.url);
    await page.goto(`${own.url}/issues`);
    await own.kill();
    await own.restart();
    await page.reload();
    await expect(page).toHaveURL(`${own.url}/issues`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  });
});

test('@soak shows the same with Postgres and Redis', async ({ page, context, serve }) => {
  const own = await serve(serveConsoleWithServices);
  await register(context, own.url);
  await page.goto(`${own.url}/`);
  await expect(page).toHaveURL(`${own.url}/issues`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
});
