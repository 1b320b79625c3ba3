import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { LoginPage } from './login/login-page.tsx';
import { profileQuery, serverQuery } from './session/queries.ts';
import { takeReturnPath } from './session/return-path.ts';
import {
  auditSearch,
  inboxSearch,
  issueSearch,
  loginSearch,
  newIssueSearch,
  outcomesSearch,
  repoSearch,
  settingsSearch,
} from './session/search-params.ts';
import { RouteFault, UnknownPage } from './shell/route-fault.tsx';
import { Shell } from './shell/shell.tsx';

interface RouterContext {
  readonly queries: QueryClient;
}

const root = createRootRouteWithContext<RouterContext>()({ component: Outlet, notFoundComponent: UnknownPage });

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  validateSearch: loginSearch,
  component: () => <LoginPage kind="login" />,
});

const register = createRoute({
  getParentRoute: () => root,
  path: '/register',
  validateSearch: loginSearch,
  component: () => <LoginPage kind="register" />,
});

const resetPassword = createRoute({
  getParentRoute: () => root,
  path: '/reset-password',
  component: lazyRouteComponent(() => import('./login/email-link-pages.tsx'), 'ResetPasswordPage'),
});

const verifyEmail = createRoute({
  getParentRoute: () => root,
  path: '/verify-email',
  component: lazyRouteComponent(() => import('./login/email-link-pages.tsx'), 'VerifyEmailPage'),
});

/** Every other page: it needs a session, and leads to the login and back where there is none. */
const session = createRoute({
  getParentRoute: () => root,
  id: 'session',
  component: Shell,
  beforeLoad: async ({ context, location }) => {
    if (context.queries.getQueryData(profileQuery.queryKey) === undefined) {
      // Not by asking who is logged in: the browser would report the refusal as an error.
      const { details } = await context.queries.fetchQuery(serverQuery);
      if (details === null) throw redirect({ to: '/login', search: { return: location.href } });
      await context.queries.ensureQueryData(profileQuery);
    }
    const kept = takeReturnPath();
    if (kept !== null && kept !== location.href) throw redirect({ href: kept });
  },
});

const index = createRoute({
  getParentRoute: () => session,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/issues', replace: true });
  },
});

const inbox = createRoute({
  getParentRoute: () => session,
  path: '/issues',
  validateSearch: inboxSearch,
  component: lazyRouteComponent(() => import('./pages/inbox-page.tsx'), 'InboxPage'),
});

const newIssue = createRoute({
  getParentRoute: () => session,
  path: '/issues/new',
  validateSearch: newIssueSearch,
  component: lazyRouteComponent(() => import('./pages/new-issue-page.tsx'), 'NewIssuePage'),
});

const issue = createRoute({
  getParentRoute: () => session,
  path: '/issues/$id',
  validateSearch: issueSearch,
  component: lazyRouteComponent(() => import('./pages/issue-page.tsx'), 'IssuePage'),
});

const repos = createRoute({
  getParentRoute: () => session,
  path: '/repos',
  validateSearch: repoSearch,
  component: lazyRouteComponent(() => import('./pages/repos-page.tsx'), 'ReposPage'),
});

const newRepo = createRoute({
  getParentRoute: () => session,
  path: '/repos/new',
  component: lazyRouteComponent(() => import('./pages/new-repo-page.tsx'), 'NewRepoPage'),
});

const repo = createRoute({
  getParentRoute: () => session,
  path: '/repos/$id',
  validateSearch: repoSearch,
  component: lazyRouteComponent(() => import('./pages/repo-page.tsx'), 'RepoPage'),
});

const importIssues = createRoute({
  getParentRoute: () => session,
  path: '/repos/$id/import',
  validateSearch: repoSearch,
  component: lazyRouteComponent(() => import('./pages/import-page.tsx'), 'ImportPage'),
});

const settings = createRoute({
  getParentRoute: () => session,
  path: '/settings',
  validateSearch: settingsSearch,
  component: lazyRouteComponent(() => import('./pages/settings-page.tsx'), 'SettingsPage'),
});

const outcomes = createRoute({
  getParentRoute: () => session,
  path: '/outcomes',
  validateSearch: outcomesSearch,
  component: lazyRouteComponent(() => import('./pages/outcomes-page.tsx'), 'OutcomesPage'),
});

const admin = createRoute({
  getParentRoute: () => session,
  path: '/admin',
  component: lazyRouteComponent(() => import('./pages/admin-page.tsx'), 'AdminPage'),
});

const audit = createRoute({
  getParentRoute: () => session,
  path: '/admin/audit',
  validateSearch: auditSearch,
  component: lazyRouteComponent(() => import('./pages/audit-page.tsx'), 'AuditPage'),
});

const routeTree = root.addChildren([
  login,
  register,
  resetPassword,
  verifyEmail,
  session.addChildren([
    index,
    inbox,
    newIssue,
    issue,
    repos,
    newRepo,
    repo,
    importIssues,
    outcomes,
    settings,
    admin,
    audit,
  ]),
]);

/** The pages of the console by their addresses. The server serves the console at these and no others. */
export function createConsoleRouter(queries: QueryClient) {
  return createRouter({
    routeTree,
    context: { queries },
    defaultErrorComponent: RouteFault,
    defaultPreload: 'intent',
    scrollRestoration: true,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}
