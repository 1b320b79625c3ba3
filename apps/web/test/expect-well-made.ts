import { expect, type Page } from '@playwright/test';
import { controlsByColourAlone } from './controls-by-colour-alone.ts';
import { expectAccessible } from './expect-accessible.ts';
import { expectNoSidewaysScroll } from './expect-no-sideways-scroll.ts';
import { expectStructure } from './expect-structure.ts';

/** Looks at a page of the console in every way: its structure, what axe finds, lines in forced colours, room on a phone. */
export async function expectWellMade(page: Page, name: string): Promise<void> {
  await expectAccessible(page);
  await expectStructure(page.locator('#content'), name);
  await expectLines(page);
  await expectRoom(page);
}

/** Where a theme of the system takes backgrounds away, lines show the focus and what is chosen. */
async function expectLines(page: Page): Promise<void> {
  await page.emulateMedia({ forcedColors: 'active' });
  expect(await page.evaluate(controlsByColourAlone)).toEqual([]);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  const outline = () => page.evaluate(() => getComputedStyle(document.activeElement ?? document.body).outline);
  expect(await outline()).not.toMatch(/none|\b0px/);
  await page.emulateMedia({ forcedColors: null });
}

/** At 360 px, at 200 % zoom of a window of 1280 px, and with text of twice the size. */
export async function expectRoom(page: Page): Promise<void> {
  await page.setViewportSize({ width: 360, height: 740 });
  await expectNoSidewaysScroll(page, '360 px');
  await page.setViewportSize({ width: 640, height: 450 });
  await expectNoSidewaysScroll(page, '200 %');
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'));
  await expectNoSidewaysScroll(page, 'text of twice the size');
}
