import { afterAll, beforeAll } from 'vitest';
import { itSaysWhereALoginIsNeeded, restOfRemote } from '../every-command.ts';
import { itConformsToOpenApi } from '../it-conforms-to-openapi.ts';
import { type ProxiedService, startProxiedService } from '../proxied-service.ts';
import { openTerminal, type Terminal } from '../terminal.ts';

// Usual way: apps/cli/test/conformance.test.ts

let terminal: Terminal;
/** A server without users. */
let proxied: ProxiedService;

beforeAll(async () => {
  terminal = await openTerminal();
  proxied = await startProxiedService(terminal);
});

afterAll(async () => {
  await proxied?.[Symbol.asyncDispose]();
  terminal?.[Symbol.dispose]();
});

itSaysWhereALoginIsNeeded(restOfRemote, { terminal: () => terminal, url: () => proxied.service.url });

itConformsToOpenApi(() => proxied.proxy);
