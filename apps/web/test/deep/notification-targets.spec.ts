import type { IncomingMessage, ServerResponse } from 'node:http';
import { serveOnLoopback } from '@sluice/testing';
import { expect, register, test } from '../console-test.ts';
import { expectAccessible } from '../expect-accessible.ts';
import { expectStructure } from '../expect-structure.ts';
import { serveConsole } from '../serve-console.ts';

// Usual way: apps/server/test/notifications.test.ts

/** A receiver of webhooks, and a service that may send to it. */
async function startBoth(environment: Readonly<Record<string, string>> = {}) {
  const types: string[] = [];
  let status = 204;
  const receiver = await serveOnLoopback((request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      types.push(body.startsWith('{') ? JSON.parse(body).type : 'a text'); // what is sent again may go in the later format
      response.writeHead(status).end();
    });
  });
  const served = await serveConsole({ NOTIFY_ALLOW_HOSTS: new URL(receiver.origin).host, ...environment });
  return {
    ...served,
    hook: `${receiver.origin}/hook`,
    types,
    answerWith: (other: number) => {
      status = other;
    },
    async [Symbol.asyncDispose]() {
      await served[Symbol.asyncDispose]();
      await receiver[Symbol.asyncDispose]();
    },
  };
}

test.describe('a webhook', () => {
  // What is refused in a form is a 400, which the browser logs.
  test.use({ allowedComplaints: [/the server responded with a status of 400/] });

  test('is added, tested, followed, edited and removed in the settings', async ({ page, serve }) => {
    let hook = '';
    let answerWith = (_status: number) => {};
    const served = await serve(async () => {
      const both = await startBoth();
      ({ hook, answerWith } = both);
      return both;
    });
    await register(page.context(), served.url);
    await page.goto(`${served.url}/settings#notifications`);
    const section = page.locator('#notifications');
    await expect(section.getByRole('checkbox', { name: 'E-mails when an issue needs you' })).toBeDisabled();
    await expect(section.getByText('This server sends no e-mail.')).toBeVisible();

    await section.getByRole('button', { name: 'Add a webhook…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('URL').fill('https://10.0.0.5/hook');
    await expectAccessible(page);
    await expectStructure(dialog, 'new webhook');
    await dialog.getByRole('button', { name: 'Add the webhook' }).click();
    await expect(dialog.getByText('url has an address that is not public')).toBeVisible();
    await dialog.getByLabel('URL').fill(hook);
    await dialog.getByLabel('Description').fill('The bot');
    await dialog.getByRole('checkbox', { name: 'an issue is completed' }).check();
    await dialog.getByRole('button', { name: 'Add the webhook' }).click();
    await expect(dialog.getByText(/^whsec_/)).toBeVisible();
    await expectAccessible(page);
    await expectStructure(dialog, 'secret of a webhook');
    await dialog.getByRole('button', { name: 'I have stored it' }).click();
    const row = section.getByRole('listitem');
    await expect(row).toContainText('The bot works');
    await expect(row).toContainText('Standard Webhooks (JSON), 5 kinds of events, of all repositories');

    await row.getByRole('button', { name: 'Test The bot' }).click();
    await expect(row.getByText(/^The test was delivered in \d+ ms\.$/)).toBeVisible();
    answerWith(500);
    await row.getByRole('button', { name: 'Test The bot' }).click();
    await expect(row.getByText('The test failed: The receiver answered 500. It is tried again.')).toBeVisible();
    await expect(row).toContainText('The bot failing');

    await row.getByRole('button', { name: 'Deliveries to The bot' }).click();
    await expect(dialog.getByRole('listitem')).toHaveCount(2);
    await dialog.getByLabel('Show').selectOption('delivered');
    await expect(dialog.getByRole('listitem')).toHaveCount(1);
    await expectAccessible(page);
    await expectStructure(dialog, 'deliveries');
    answerWith(204);
    await dialog.getByRole('button', { name: 'Send again' }).click();
    await expect(dialog.getByText('1 delivery will be sent again.')).toBeVisible();
    await expect(dialog.getByText(', sent again')).toBeVisible(); // among the delivered ones
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expect(row).toContainText('The bot works');

    await row.getByRole('button', { name: 'Edit The bot' }).click();
    await dialog.getByLabel('Format').selectOption('ntfy');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(row).toContainText('ntfy, 5 kinds of events');
    await row.getByRole('button', { name: 'Edit The bot' }).click();
    await dialog.getByRole('button', { name: 'Make a new secret' }).click();
    await expect(dialog.getByText(/^whsec_/)).toBeVisible();
    await dialog.getByRole('button', { name: 'I have stored it' }).click();
    await row.getByRole('button', { name: 'Remove The bot' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove it' }).click();
    await expect(row).toHaveCount(0);
  });
});

test('a receiver that wants no more disables its webhook, which says why until it is enabled again', async ({
  page,
  serve,
}) => {
  let hook = '';
  const served = await serve(async () => {
    const both = await startBoth();
    ({ hook } = both);
    both.answerWith(410);
    return both;
  });
  await register(page.context(), served.url);
  const made = await page.request.post(`${served.url}/api/notifications/targets`, { data: { url: hook } });
  const { id } = await made.json();
  await page.request.post(`${served.url}/api/notifications/targets/${id}/test`);
  await page.goto(`${served.url}/settings#notifications`);
  const row = page.locator('#notifications').getByRole('listitem');
  await expect(async () => {
    await page.reload();
    await expect(row).toContainText('disabled', { timeout: 2_000 });
  }).toPass();
  await expect(row).toContainText('The receiver answered 410: it wants no deliveries any more.');
  await expectAccessible(page);
  await row.getByRole('button', { name: /^Enable / }).click();
  await expect(row).toContainText('works');
});

test('the e-mails are turned on and off with one switch', async ({ page, serve }) => {
  const served = await serve(() =>
    serveConsole({ SMTP_URL: 'smtp://127.0.0.1:9', SMTP_FROM: 'Sluice <sluice@example.com>' }),
  );
  const { email } = await register(page.context(), served.url);
  await page.goto(`${served.url}/settings#notifications`);
  const section = page.locator('#notifications');
  const box = section.getByRole('checkbox', { name: 'E-mails when an issue needs you' });
  await expect(section.getByText(`They go to ${email}.`)).toBeVisible();
  await box.click();
  const row = section.getByRole('listitem');
  await expect(row).toContainText('E-mail works');
  await expect(row).toContainText('what asks you for something, of all repositories');
  await expect(box).toBeEnabled();
  await box.click();
  await expect(row).toContainText('You disabled it.');
  await row.getByRole('button', { name: 'Enable E-mail' }).click();
  await expect(box).toBeChecked();
});
