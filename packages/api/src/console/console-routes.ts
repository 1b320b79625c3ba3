/** The console's own paths. `/*` stands for anything below. */
const consoleRoutes = [
  '/',
  '/login',
  '/register',
  '/reset-password',
  '/verify-email',
  '/issues',
  '/issues/*',
  '/repos',
  '/repos/*',
  '/outcomes',
  '/settings',
  '/admin',
  '/admin/audit',
] as const;

/** The route of a path, or null when it is not the console's. */
export function consoleRouteOf(path: string): (typeof consoleRoutes)[number] | null {
  const covers = (route: string) => (route.endsWith('/*') ? path.startsWith(route.slice(0, -1)) : path === route);
  return consoleRoutes.find(covers) ?? null;
}
