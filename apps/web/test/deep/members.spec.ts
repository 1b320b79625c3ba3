import { expect, register, test } from '../console-test.ts';
import { FIX, makeScratchRepo } from '../scratch-repo.ts';
import { startIssue } from '../start-issue.ts';

// Usual way: apps/web/test/approvals.spec.ts

test.describe('a team', () => {
  test.use({ allowedComplaints: [/status of 403/] });

  test('shares a repository: a member reads a plan, decides it as an approver, and is out once removed', async ({
    page,
    context,
    account: _,
    served,
    otherBrowser,
  }) => {
    using repo = makeScratchRepo();
    const grace = await register(otherBrowser, served.url);
    const { id, repoId } = await startIssue(context.request, { url: served.url, path: repo.path, body: FIX });
    const hers = await otherBrowser.newPage();
    await hers.goto(`/issues/${id}?view=plan`);
    await expect(hers.getByText('Ask an admin of its repository to add you as a member.')).toBeVisible();

    await page.goto(`/repos/${repoId}`);
    const members = page.locator('#members');
    await members.getByLabel('Add a member').fill(grace.email);
    await members.getByLabel('Role', { exact: true }).selectOption('viewer');
    await members.getByRole('button', { name: 'Add', exact: true }).click();
    await expect(members.getByText(`${grace.email} is a member.`)).toBeVisible();

    // A viewer reads, and is not offered what she may not do.
    await hers.goto('/issues');
    await expect(hers.getByRole('region', { name: 'Waits for others' }).getByRole('link')).toHaveCount(1);
    await hers.goto(`/issues/${id}?view=plan`);
    await expect(hers.getByText('The plan waits for an approver of this repository.')).toBeVisible();
    await expect(hers.getByRole('button', { name: /^Approve the plan/ })).toBeHidden();
    await expect(hers.getByRole('button', { name: 'Cancel the issue' })).toBeHidden();

    await members.getByLabel(`Role of ${grace.email}`).selectOption('approver');
    await expect(members.getByLabel(`Role of ${grace.email}`)).toHaveValue('approver');
    await hers.reload();
    await hers.getByRole('button', { name: /^Approve the plan/ }).click();
    await hers.getByRole('dialog').getByRole('button', { name: 'Approve the plan' }).click();
    await expect(hers.getByText('You approved revision 1 of the plan')).toBeVisible();
    await page.goto(`/issues/${id}`);
    await expect(page.getByText('Completed: the branch is pushed')).toBeVisible();

    await page.goto(`/repos/${repoId}`);
    await members.getByRole('button', { name: `Remove ${grace.email}` }).click();
    await page.getByRole('button', { name: 'Remove them' }).click();
    await expect(members.getByText(grace.email)).toBeHidden();
    await hers.goto(`/repos/${repoId}`);
    await expect(hers.getByText('Ask an admin of the repository to add you')).toBeVisible();
  });
});
