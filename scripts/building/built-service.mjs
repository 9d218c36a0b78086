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
const KEPT = 2

const UNFINISHED = '.service-next'
const ABANDONED_MS = 600_000

/** The program to start: as it was built, or its sources where nothing can be built. */
export function builtService({ nodePath, env, say }) {
  try {
    const place = join(packagesOfAll, `.service-${hashSources(sources).slice(0, 16)}`)
    const program = join(place, 'server/src/main.mjs')
    if (!existsSync(program)) {
      say('Building the service (once)')
      build(place, { nodePath, env })
    }
    return program
  } catch (error) {
    say(`The service could not be built and starts from its sources, which takes longer: ${error.message}`)
    return join(root, 'packages/server/src/main.ts')
  }
}

function build(place, { nodePath, env }) {
  removeFormer()
  const next = mkdtempSync(join(packagesOfAll, `${UNFINISHED}-`))
  try {
    execFileSync(nodePath, [join(root, 'scripts/building/build-service.ts'), next], { cwd: root, env })
    renameSync(next, place)
  } catch (error) {
    rmSync(next, { recursive: true, force: true })
    // Another start may have put the same in its place meanwhile.
    if (!existsSync(place)) throw error
  }
}

/** All but the newest, and what interrupted builds have left. */
function removeFormer() {
  const ageMs = (path) => Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0)
  const found = readdirSync(packagesOfAll).map((name) => join(packagesOfAll, name))
  const built = found.filter((path) => /\.service-[0-9a-f]{16}$/.test(path))
  const unfinished = found.filter((path) => path.includes(UNFINISHED) && ageMs(path) > ABANDONED_MS)
  const former = built.sort((one, other) => ageMs(one) - ageMs(other)).slice(KEPT)
  for (const path of [...former, ...unfinished]) rmSync(path, { recursive: true, force: true })
}
