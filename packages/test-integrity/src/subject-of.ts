/** The subject in the name of a test file: `orders` of `test/orders.test.js`, `calendar` of `CalendarTest.java`. */
export function subjectOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.\w+$/, '');
  return plainName(name.replace(/^test_|[._-](?:tests?|spec)$|(?<=[a-z])(?:Tests?|Specs?|IT)$/, ''));
}

/** A name without what languages write it differently by. */
export const plainName = (name: string) => name.replaceAll('_', '').toLowerCase();
