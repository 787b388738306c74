// The build's name: a digest of everything the pages are made of. The same sources give the same name on every machine,
// and any change to them gives another, which is what makes an open page reload itself.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesBelow(join(folder, entry.name)) : [join(folder, entry.name)],
  )
}

export function buildId(root: string, pages: string[]): string {
  const digest = createHash('sha256')
  const sources = filesBelow(join(root, 'src')).filter((path) => !path.endsWith('.test.ts'))
  const settings = ['package-lock.json', 'vite.config.ts', ...pages.map((page) => `${page}.html`)]
  for (const path of [...sources, ...settings.map((name) => join(root, name))].sort()) {
    digest.update(relative(root, path).replaceAll('\\', '/')).update('\0').update(readFileSync(path)).update('\0')
  }
  return digest.digest('hex').slice(0, 12)
}
