const LINK = /<([^<>]+)>;\s*rel="(\w+)"/g;

/** The number of the page that a `Link` header names, e.g. as `next`. Only the number is used: we ask where we know. */
export function linkedPage(link: string | undefined, relation: string): number | null {
  for (const [, target = '', named] of (link ?? '').matchAll(LINK)) {
    if (named !== relation || !URL.canParse(target)) continue;
    const page = Number(new URL(target).searchParams.get('page'));
    return Number.isSafeInteger(page) && page > 0 ? page : null;
  }
  return null;
}
