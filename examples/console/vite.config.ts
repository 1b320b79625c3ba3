import { defineConfig } from 'vite';

// Where Sluice listens. Its CORS_ORIGINS must name the address at which this page is opened: the browser sends that as
// the Origin of every write, and the proxy passes it on.
const target = process.env.SLUICE_URL ?? 'http://127.0.0.1:3000';

export default defineConfig({
  server: { proxy: { '/api': { target, changeOrigin: true } } },
});
