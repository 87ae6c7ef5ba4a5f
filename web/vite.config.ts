import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const api = process.env.API_PROXY ?? 'http://127.0.0.1:3000'

/**
 * The build is a static folder, `web/dist/`. `__CSP_NONCE__` stands in every script and style tag of index.html: a server
 * that sends a Content-Security-Policy replaces it for each response. In development calls go to `API_PROXY`; the one
 * path under /api that is a screen stays here.
 */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [react(), tailwindcss()],
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    manifest: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // What every screen needs is one file: it compresses better, and stays cached when only our own code changes.
        codeSplitting: {
          groups: [
            {
              name: 'vendor',
              test: /node_modules[\\/](react|react-dom|scheduler|react-router|zod|zustand|clsx|get-nonce|@tanstack[\\/](query-core|react-query))[\\/]/,
            },
            // And what the frame around every signed-in screen needs: many small files would compress worse.
            {
              name: 'frame',
              test: /web[\\/](features[\\/]client[\\/](?!auth-client|upload)|ui[\\/](constants|tooltip|menu)\.tsx?)|contract[\\/](route|errors|accounts|operations|settings)\.ts|lucide-react[\\/]dist[\\/]esm[\\/](createLucideIcon|Icon|context|defaultAttributes|shared[\\/].*|icons[\\/](clipboard-check|columns-3|waves-horizontal|send|upload|wrench|scroll-text|log-out|chevrons-up-down|panel-left|blocks|settings|menu))\.mjs/,
            },
          ],
        },
      },
    },
  },
  server: {
    host: '127.0.0.1',
    proxy: {
      '/api': {
        target: api,
        bypass: (request) => (request.url?.startsWith('/api/auth/oauth-callback') ? '/index.html' : undefined),
      },
      '/auth/v1': { target: api },
    },
  },
})
