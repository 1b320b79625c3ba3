import { expect, type Locator } from '@playwright/test';

const STRUCTURE =
  /^\s*- '?(main|navigation|region|article|group|dialog|alertdialog|table|heading|link|button|textbox|searchbox|combobox|listbox|option|checkbox|radio|columnheader|status|alert)\b/;

/**
 * Compares what assistive technology finds with the recorded snapshot: landmarks, headings and controls with their names and
 * states, in order. Texts, times and addresses are left out, which differ from run to run.
 */
export async function expectStructure(locator: Locator, name: string): Promise<void> {
  await expect(async () => {
    const lines = (await locator.ariaSnapshot()).split('\n').filter((line) => STRUCTURE.test(line));
    expect(`${lines.map(withoutTimes).join('\n')}\n`).toMatchSnapshot(`${name.replaceAll(/\W+/g, '-')}.txt`);
  }).toPass();
}

function withoutTimes(line: string): string {
  return line
    .replace(/:( ".*"| [^"]*)?$/, '')
    .replaceAll(/\d+ (seconds?|minutes?|hours?|days?|min|h|s)\b( ago)?/g, '…')
    .replaceAll(/[0-9a-f]{8,40}/g, '…');
}
