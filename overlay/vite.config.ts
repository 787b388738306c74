import { svelte } from '@sveltejs/vite-plugin-svelte'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import { buildId } from './build_id.ts'

const root = fileURLToPath(new URL('.', import.meta.url))
const pages = ['judge', 'office', 'devices', 'air', 'watch', 'hall', 'break', 'result', 'table', 'producer', 'practice']
const build = buildId(root, pages)

/** Writes `build.json`, from which the service learns the id that the pages were built with. */
function buildNote(): Plugin {
  return {
    name: 'build-note',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'build.json', source: JSON.stringify({ build }) + '\n' })
    },
  }
}

export default defineConfig({
  root,
  plugins: [svelte(), buildNote()],
  define: { __BUILD__: JSON.stringify(build) },
  build: {
    target: 'chrome103', // the oldest browser inside a streaming program that is still about
    outDir: 'dist',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: Object.fromEntries(pages.map((page) => [page, `${root}${page}.html`])) },
  },
  test: { environment: 'node', include: ['src/**/*.test.ts'] },
})
