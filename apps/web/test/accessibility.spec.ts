import { consolePages, isUsualPage } from './console-pages.ts';
import { expectWellMade } from './expect-well-made.ts';
import { expect, test } from './seeded-console-test.ts';

for (const { name, path, ready } of consolePages.filter(isUsualPage)) {
  test(`the page “${name}” has its structure, no fault that axe finds, lines in forced colours and room on a phone`, async ({
    page,
    seeded,
  }) => {
    await page.goto(path(seeded.world));
    await expect(ready(page).first()).toBeVisible();
    await expectWellMade(page, name);
  });
}
