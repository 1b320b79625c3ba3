import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

// Where `npm run dev` finds a server. Its CORS_ORIGINS must name the address of the page: the browser sends that as the
// Origin of every write.
const target = process.env.SLUICE_URL ?? 'http://127.0.0.1:3000';

/**
 * Markdown's character references (`&lt;`) from a table. For browsers the package reads them out of `innerHTML`, which trusted
 * types refuse: a page with such a text failed as a whole.
 */
const referencesFromTable: Plugin = {
  name: 'character-references-from-table',
  enforce: 'pre',
  async resolveId(source, importer) {
    if (source !== 'decode-named-character-reference') return null;
    const found = await this.resolve(source, importer, { skipSelf: true });
    return found && { ...found, id: found.id.replace(/index\.dom\.js$/, 'index.js') };
  },
};

export default defineConfig({
  plugins: [referencesFromTable, react()],
  server: { proxy: { '/api': { target, changeOrigin: true } } },
  worker: { format: 'es' },
  build: {
    manifest: true,
    sourcemap: false,
    // An inlined asset is a `data:` address, which the content security policy refuses.
    assetsInlineLimit: 0,
    // The polyfill is an inline script of the old kind; browsers that the console supports have modulepreload.
    modulePreload: { polyfill: false },
    target: 'es2023',
  },
});
