// NOTE (house): your first vite.config.ts, tsconfig.json and svelte.config.js were overwritten by mistake seconds after
// you wrote them. They are yours: put back what you had (this is only a guess at it) and delete this note.
import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';
import { buildId } from './build_id.ts';

const root = fileURLToPath(new URL('.', import.meta.url));
const pages = ['judge', 'air', 'hall', 'table'];

export default defineConfig({
  plugins: [svelte()],
  define: { __BUILD__: JSON.stringify(buildId(root, pages)) },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    rollupOptions: { input: pages.map((page) => `${root}${page}.html`) },
  },
  test: { include: ['src/**/*.test.ts'] },
});
