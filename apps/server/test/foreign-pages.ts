import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';

/** A request that a page of a stranger tries to make in its visitor's name. */
export interface Write {
  readonly method: string;
  readonly url: string;
  /** JSON, or empty. */
  readonly body: string;
}

export interface ForeignPages extends AsyncDisposable {
  /** A page of another site than `127.0.0.1`. */
  readonly otherSite: string;
  /** A page of another origin of the same site, as another service of the same machine is: it is sent Lax cookies. */
  readonly sameSite: string;
}

/** Serves empty pages, whose scripts the test writes. */
export async function serveForeignPages(): Promise<ForeignPages> {
  const server = createServer((_req, res) => {
    res.setHeader('Content-Type', 'text/html').end('<!doctype html><title>A stranger</title><body>');
  });
  server.listen(0);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    otherSite: `http://localhost:${port}/`,
    sameSite: `http://127.0.0.1:${port}/`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

interface Way {
  readonly name: string;
  /** The method by which its requests come to the service. */
  readonly arrivesAs: 'POST' | 'GET' | 'OPTIONS';
  /** Runs in the page: begins one request for each write. */
  readonly send: (writes: readonly Write[]) => unknown;
}

/** Every way in which a page can make a browser send something elsewhere. The functions run in the browser. */
export const ways: readonly Way[] = [
  {
    name: 'forms in frames',
    arrivesAs: 'POST',
    send: (writes) => {
      for (const { url, body } of writes) {
        const frame = document.body.appendChild(document.createElement('iframe'));
        frame.name = `frame${Math.random()}`;
        const form = document.body.appendChild(document.createElement('form'));
        Object.assign(form, { method: 'POST', action: url, target: frame.name, enctype: 'text/plain' });
        const field = form.appendChild(document.createElement('input'));
        // A text/plain form goes over the wire as NAME=VALUE, which makes JSON of it.
        field.name = `${body.slice(0, -1) || '{'}${body.length > 2 ? ',' : ''}"x":"`;
        field.value = '"}';
        form.submit();
      }
    },
  },
  {
    name: 'forms of a frame without an origin',
    arrivesAs: 'POST',
    send: (writes) => {
      for (const { url, method } of writes) {
        const frame = document.createElement('iframe');
        frame.setAttribute('sandbox', 'allow-forms allow-scripts');
        frame.srcdoc = `<form method="POST" action="${url}"><input name="_method" value="${method}"></form><script>document.forms[0].submit()</script>`;
        document.body.append(frame);
      }
    },
  },
  {
    name: 'forms in windows',
    arrivesAs: 'POST',
    send: (writes) => {
      for (const { url } of writes) {
        const form = document.body.appendChild(document.createElement('form'));
        Object.assign(form, { method: 'POST', action: url, target: '_blank', enctype: 'multipart/form-data' });
        form.submit();
      }
    },
  },
  {
    name: 'fetch without CORS',
    arrivesAs: 'POST',
    send: (writes) =>
      Promise.allSettled(
        writes.map(({ url, body }) => fetch(url, { method: 'POST', mode: 'no-cors', credentials: 'include', body })),
      ),
  },
  {
    name: 'fetch with CORS and credentials, as plain text',
    arrivesAs: 'POST',
    send: (writes) =>
      Promise.allSettled(writes.map(({ url, body }) => fetch(url, { method: 'POST', credentials: 'include', body }))),
  },
  {
    name: 'fetch with CORS and credentials, as JSON by its own method',
    arrivesAs: 'OPTIONS',
    send: (writes) =>
      Promise.allSettled(
        writes.map(({ method, url, body }) =>
          fetch(url, { method, credentials: 'include', headers: { 'Content-Type': 'application/json' }, body }),
        ),
      ),
  },
  {
    name: 'beacons',
    arrivesAs: 'POST',
    send: (writes) => {
      for (const { url, body } of writes) navigator.sendBeacon(url, new Blob([body], { type: 'text/plain' }));
    },
  },
  {
    name: 'images',
    arrivesAs: 'GET',
    send: (writes) => {
      // Numbered, or one that is asked for already would serve two.
      for (const [index, { url, body }] of writes.entries()) {
        new Image().src = `${url}?input=${encodeURIComponent(body)}&n=${index}`;
      }
    },
  },
  {
    name: 'windows that go there',
    arrivesAs: 'GET',
    send: (writes) => {
      for (const { url, body } of writes) window.open(`${url}?input=${encodeURIComponent(body)}`, '_blank');
    },
  },
];

/** Opens a stranger's page and lets it send by one way; the windows that it opens stay open until their requests are in. */
export async function sendFrom(page: Page, from: string, by: { way: Way; writes: readonly Write[] }): Promise<void> {
  await page.goto(from);
  await page.evaluate(by.way.send, by.writes);
}

export async function closeOthers(page: Page): Promise<void> {
  for (const other of page.context().pages()) if (other !== page) await other.close();
}
