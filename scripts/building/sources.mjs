// The hash of everything that something is built from. What was built is marked with it, so that a second start builds nothing.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

// An older Node 20 reads this file too, and does not know its directory by itself.
export const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
const passedOver = /^(dist|dist\.next.*|node_modules)$/

/** Of these files and folders of the project, by path and content. */
export function hashSources(sources) {
  const hash = createHash('sha256')
  for (const source of sources) {
    for (const file of filesOf(source))
      hash
        .update(file)
        .update('\0')
        .update(readFileSync(join(root, file)))
  }
  return hash.digest('hex')
}

function filesOf(path) {
  if (/\.[a-z]+$/.test(path)) return [path]
  return readdirSync(join(root, path), { withFileTypes: true })
    .filter(({ name }) => !passedOver.test(name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => (entry.isDirectory() ? filesOf(`${path}/${entry.name}`) : [`${path}/${entry.name}`]))
}
