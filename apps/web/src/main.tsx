import './tokens.css';
import './base.css';
import { CSPProvider } from '@base-ui/react/csp-provider';
import { isSluiceError } from '@sluice/client';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { applyLastTheme } from './browser/theme.ts';
import { createConsoleRouter } from './router.tsx';
import { createQueryClient } from './session/query-client.ts';

const queries = createQueryClient(expire);
const router = createConsoleRouter(queries);

/** A request was refused because the session has ended: the login comes next, and after it the same place. */
function expire(): void {
  const { pathname, href } = router.state.location;
  if (pathname === '/login' || pathname === '/register') return;
  void router.navigate({ to: '/login', search: { return: href, expired: true } });
}

applyLastTheme();
const element = document.getElementById('root');
if (element === null) throw new Error('index.html has no element #root');
createRoot(element, {
  // What the server refused or did not answer is shown in the page. Anything else is a fault of the console.
  onCaughtError: (error) => {
    if (!isSluiceError(error)) reportError(error);
  },
}).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
);
