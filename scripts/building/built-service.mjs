// The service as one file, which starts in half the time: its 2,500 modules need not be found, stripped and compiled one by
// one. It is built when it is missing or older than its sources, and lies in a directory that is named after their hash.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { hashSources, root } from './sources.mjs'

const packagesOfAll = join(root, 'node_modules')
const sources = [
  'packages/server/src',
  'packages/sdk/src',
  'packages/chain/src',
  'packages/contract/src',
  'packages/mcp/src',
  'scripts/building/build-programs.ts',
  'package-lock.json',
]

/** An older service may still be running, and load a part of itself. */
const KEPT = 3

/** The program to start: as it was built, or its sources where nothing can be built. */
export function builtService({ nodePath, env, say }) {
  const place = join(packagesOfAll, `.service-${hashSources(sources).slice(0, 16)}`)
  const program = join(place, 'server/src/main.mjs')
  if (existsSync(program)) return program
  say('Building the service (once)')
  try {
    const next = mkdtempSync(join(packagesOfAll, '.service-next-'))
    execFileSync(nodePath, [join(root, 'scripts/building/build-service.ts'), next], { cwd: root, env })
    // Where another start has put the same in its place meanwhile, that one is used.
    if (existsSync(program)) rmSync(next, { recursive: true })
    else renameSync(next, place)
    removeFormer()
    return program
  } catch (error) {
    say(`The service could not be built and starts from its sources, which takes longer: ${error.message}`)
    return join(root, 'packages/server/src/main.ts')
  }
}

function removeFormer() {
  const built = readdirSync(packagesOfAll)
    .filter((name) => /^\.service-[0-9a-f]{16}$/.test(name))
    .map((name) => join(packagesOfAll, name))
    .sort((one, other) => statSync(other).mtimeMs - statSync(one).mtimeMs)
  for (const former of built.slice(KEPT)) rmSync(former, { recursive: true, force: true })
}
