// Which contracts have passed their tests: tested-contracts.json has the hash of everything that their result depends on.
// It is committed with the contracts, so that `npm test` need not compile them again where nothing changed.

import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'

const packageRoot = path.resolve(import.meta.dirname, '..')
const noteIn = (root: string): string => path.join(root, 'tested-contracts.json')

/** Sources, tests, what is generated from them, their limits, and the exact tools that compile and run them. */
const folders = ['contracts', 'scripts', 'src/generated']
const files = ['hardhat.config.ts', 'package.json', 'gas-snapshot.json']

export async function areTested(root = packageRoot): Promise<boolean> {
  const note = await readFile(noteIn(root), 'utf8').catch(() => '{}')
  return JSON.parse(note).sha256 === (await hashContracts(root))
}

export async function noteTested(root = packageRoot): Promise<void> {
  await writeFile(noteIn(root), `${JSON.stringify({ sha256: await hashContracts(root) }, null, 2)}\n`)
}

async function hashContracts(root: string): Promise<string> {
  const hash = createHash('sha256')
  for (const file of [...(await filesIn(root)), ...files].sort()) {
    const content = await readFile(path.join(root, file))
    hash.update(`${file}\n${content.length}\n`).update(content)
  }
  return hash.digest('hex')
}

async function filesIn(root: string): Promise<string[]> {
  const found: string[] = []
  for (const name of folders) {
    const entries = await readdir(path.join(root, name), { recursive: true, withFileTypes: true })
    for (const entry of entries)
      if (entry.isFile())
        found.push(path.relative(root, path.join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
  }
  return found
}
