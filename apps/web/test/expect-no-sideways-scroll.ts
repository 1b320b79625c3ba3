import { expect, type Page } from '@playwright/test';

/** Fails when the page itself scrolls sideways, and names what is too wide. Code scrolls inside its own box. */
export async function expectNoSidewaysScroll(page: Page, where: string): Promise<void> {
  const tooWide = () =>
    page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      if (scrollWidth <= clientWidth) return [];
      const isClipped = (element: Element): boolean => {
        const parent = element.parentElement;
        if (parent === null || parent === document.body) return false;
        return getComputedStyle(parent).overflowX !== 'visible' || isClipped(parent);
      };
      const wide = [...document.querySelectorAll('body *')].filter(
        (element) => element.getBoundingClientRect().right > clientWidth + 1 && !isClipped(element),
      );
      return [`${scrollWidth} px of ${clientWidth} px`, ...wide.map((element) => element.outerHTML.slice(0, 120))];
    });
  await expect.poll(tooWide, `the page at ${where} scrolls sideways`).toEqual([]);
}
