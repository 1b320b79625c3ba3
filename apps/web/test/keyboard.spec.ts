import { randomUUID } from 'node:crypto';
import type { Locator, Page } from '@playwright/test';
import { expect, test } from './console-test.ts';
import { FIX, makeScratchRepo } from './scratch-repo.ts';

test('does the whole job by the keyboard alone', async ({ page }) => {
  using repo = makeScratchRepo();
  const { keyboard } = page;
  const state = page.getByRole('region', { name: 'State' });
  await page.goto('/login');

  await tabTo(page, page.getByRole('link', { name: 'Create one' }));
  await keyboard.press('Enter');
  await expect(page).toHaveURL(/\/register/);
  await tabTo(page, page.getByLabel('E-mail'));
  await keyboard.type(`${randomUUID()}@example.com`);
  await tabTo(page, page.getByLabel('Password'));
  await keyboard.type('a long enough passphrase');
  await keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Inbox' })).toBeVisible();

  // The palette finds a command by a few letters.
  await keyboard.press('Control+k');
  await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused();
  await keyboard.type('add repo');
  await expect(page.getByRole('option', { selected: true })).toContainText('Add a repository');
  await keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Add a repository' })).toBeFocused();
  await tabTo(page, page.getByLabel('Address'));
  await keyboard.type(repo.path);
  await keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'values' })).toBeFocused();

  await keyboard.press('c');
  await expect(page.getByRole('heading', { level: 1, name: 'New issue' })).toBeFocused();
  // Each try without a title leads to it.
  for (let tries = 0; tries < 2; tries += 1) {
    await tabTo(page, page.getByRole('textbox', { name: 'Description' }));
    await keyboard.press('Control+Enter');
    await expectFocus(page.getByLabel('Title'));
  }
  await keyboard.type('The value is broken');
  await tabTo(page, page.getByRole('textbox', { name: 'Description' }));
  await keyboard.type(FIX);
  await keyboard.press('Control+Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'The value is broken' })).toBeFocused();
  await expect(state).toContainText('Waits for you: decide on the plan');

  // At the gate: instructions, then the approval of what came of them.
  await keyboard.press('2');
  await expect(page.getByRole('heading', { name: 'Plan revision 1' })).toBeVisible();
  await keyboard.press('i');
  await expectFocus(page.getByLabel('Instructions for the planner'));
  await keyboard.type('in `notes/first.txt` replace `two` with `2`');
  await tabTo(page, page.getByRole('button', { name: /^Send 1 remark/ }));
  await keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Plan revision 2' })).toBeVisible();
  await keyboard.press('a');
  await tabTo(page, page.getByRole('dialog').getByRole('button', { name: 'Approve the plan' }));
  await keyboard.press('Enter');
  await expect(page.getByText('You approved revision 2 of the plan')).toBeVisible();
  await expect(state).toContainText('Completed: the branch is pushed');

  // The activity row by row, then the diff change by change.
  await keyboard.press('1');
  const activity = page.getByRole('region', { name: 'Activity' });
  await expect(activity.getByText('The issue is completed')).toBeVisible();
  await keyboard.press('j');
  await expect(activity.locator(':focus')).toBeInViewport();
  await keyboard.press('End');
  await expect(activity.getByRole('listitem').last().locator(':focus')).toBeInViewport();
  await keyboard.press('3');
  const lines = page.getByRole('region', { name: 'Changed lines' });
  await expect(lines.getByText('0 of 2 files viewed')).toBeVisible();
  await keyboard.press('j');
  await expect(lines.getByText('Change 1 of 2: notes/first.txt')).toBeAttached();
  await keyboard.press('n');
  await expect(lines.getByText('File 2 of 2: value.txt')).toBeAttached();
  await keyboard.press('v');
  await expect(lines.getByText('1 of 2 files viewed')).toBeVisible();

  // What the keys are, also where a checkbox has the focus; the inbox, and the palette again.
  await lines.getByRole('checkbox').first().focus();
  await keyboard.press('?');
  const shortcuts = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(shortcuts).toContainText('Next change');
  await keyboard.press('Escape');
  await expect(shortcuts).toHaveCount(0); // until then the keys are its
  await keyboard.press('g');
  await keyboard.press('i');
  await expect(page.getByRole('heading', { level: 1, name: 'Inbox' })).toBeFocused();
  const row = page.getByRole('region', { name: 'Done' }).getByRole('link', { name: 'The value is broken' });
  await expect(row).toBeVisible();
  await keyboard.press('j');
  await expectFocus(row);
  await keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'The value is broken' })).toBeFocused();
  await keyboard.press('Control+k');
  await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused();
  await keyboard.type('go settings');
  await expect(page.getByRole('option', { selected: true })).toContainText('Go to the settings');
  await keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeFocused();
});

const MAX_TABS = 60;

/** Presses Tab until an element has the focus. Wherever the focus is on its way, it is seen. */
async function tabTo(page: Page, wanted: Locator): Promise<void> {
  await expect(wanted).toBeVisible();
  for (let tabs = 0; tabs < MAX_TABS; tabs += 1) {
    if (await isFocused(wanted)) return await expectFocus(wanted);
    await page.keyboard.press('Tab');
    await expectFocus(page.locator(':focus'));
  }
  throw new Error(`${wanted} was not reached by ${MAX_TABS} tabs.`);
}

async function isFocused(wanted: Locator): Promise<boolean> {
  return await wanted.evaluate((element) => element === document.activeElement);
}

/** Fails where the focus is not there, or is not seen. */
async function expectFocus(wanted: Locator): Promise<void> {
  await expect(wanted).toBeFocused();
  const isSeen = await wanted.evaluate((element) => {
    return [undefined, '::after'].some((pseudo) => {
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element, pseudo);
      return (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0) || boxShadow !== 'none';
    });
  });
  expect(isSeen, `the focus of ${wanted} is seen`).toBe(true);
}
