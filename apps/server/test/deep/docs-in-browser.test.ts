import { expect, it } from 'vitest';
import { openBrowser } from '../code-host-browser.ts';
import { startScratchServer } from '../scratch-server.ts';

// Usual way: packages/api/test/docs.test.ts

it('renders the API page in a browser, sends a request from it, and contacts no other host', async () => {
  await using server = await startScratchServer();
  const browser = await openBrowser();
  const page = await browser.newPage();
  const asked: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.goto(`${server.url}/api/docs`);

  const operation = page.locator('#operations-health-health-live');
  await operation.click();
  await operation.getByRole('button', { name: 'Try it out' }).click();
  await operation.getByRole('button', { name: 'Execute' }).click();
  const answer = operation.locator('.live-responses-table');
  await answer.waitFor();
  expect(await answer.textContent()).toContain('"status": "up"');

  expect(complaints).toEqual([]);
  expect(asked.filter((url) => !url.startsWith(server.url) && !url.startsWith('data:'))).toEqual([]);
  await browser.close();
});
