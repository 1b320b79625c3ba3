import { createSluiceClient } from '@sluice/client';

/** The typed client of the server that serves this page. The browser holds the session, in a cookie that no script can read. */
export const client = createSluiceClient({ url: location.origin });
