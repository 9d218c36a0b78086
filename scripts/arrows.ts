import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/** A file may import from the rooms listed for the first pattern that its path fits, and from its own room. */
interface Room {
  files: RegExp
  mayImport: RegExp[]
}

const contract = /^@agent-marketplace\/contract(\/rating)?$/
const chain = /^@agent-marketplace\/chain(\/devnet)?$/
const node = /^node:/
const server = (path: string) => new RegExp(`^packages/server/src/${path}`)
const anyPort = server('ports/[^/]+/port\\.ts$')
/** A port of many words is written in several files; the others know it by its door alone. */
const portFiles = server('ports/[^/]+/port(-[a-z]+)?\\.ts$')
const libraries = /^(?!@agent-marketplace\/|viem|packages\/)[@a-z]/

const sdk = /^@agent-marketplace\/sdk$/
const web = (path: string) => new RegExp(`^packages/web/src/${path}`)
const webLibraries = [contract, sdk, /^viem(\/|$)/, libraries]

/** The arrows of the house: who may import whom. Everything that is not listed is forbidden. */
export const rooms: Room[] = [
  { files: /^packages\/contract\/src\//, mayImport: [/^typebox(\/|$)/, /^packages\/contract\/src\//] },
  {
    files: /^packages\/chain\/src\/devnet\//,
    mayImport: [
      contract,
      /^viem(\/|$)/,
      node,
      /^hardhat(\/|$)/,
      /^@safe-global\//,
      /^packages\/chain\/src\//,
    ],
  },
  {
    files: /^packages\/chain\/src\//,
    mayImport: [contract, /^viem(\/|$)/, node, /^secp256k1$/, /^packages\/chain\/src\/(?!devnet\/)/],
  },
  { files: /^packages\/sdk\/src\//, mayImport: [contract, /^viem(\/|$)/, /^packages\/sdk\/src\//] },
  { files: server('platform/'), mayImport: [contract, node, libraries, server('platform/')] },
  { files: portFiles, mayImport: [contract, portFiles] },
  {
    files: server('ports/'),
    mayImport: [contract, chain, node, libraries, server('ports/'), server('platform/')],
  },
  {
    files: server('money/'),
    mayImport: [contract, node, libraries, server('money/'), server('platform/'), anyPort],
  },
  {
    files: server('house/'),
    mayImport: [
      contract,
      node,
      libraries,
      server('(house|platform|money)/'),
      server('config\\.ts$'),
      anyPort,
    ],
  },
  {
    files: server('features/'),
    mayImport: [contract, node, libraries, server('house/'), server('platform/'), server('money/'), anyPort],
  },
  {
    files: server('(config|settings|sandbox-secrets)\\.ts$'),
    mayImport: [contract, node, server('platform/'), server('settings\\.ts$')],
  },
  { files: server('sandbox-reset\\.ts$'), mayImport: [node, /^pg$/, server('platform/')] },
  { files: server('invariants\\.ts$'), mayImport: [server('money/'), server('features/')] },
  {
    files: server('((composition|sealing)/|(app|adapters|main)\\.ts$)'),
    mayImport: [contract, chain, node, libraries, server('')],
  },
  { files: web('(main|router)\\.tsx$'), mayImport: [sdk, libraries, web('')] },
  { files: web('features/'), mayImport: [...webLibraries, web('(?!features/|router|main)')] },
  { files: web('(?!features/)'), mayImport: [...webLibraries, web('(?!features/)')] },
]

/** Where the environment may be touched. The CDP SDK can be silenced only by two variables, which its adapter sets. */
const environmentUsers = /^packages\/server\/src\/(main|ports\/wallets\/cdp)\.ts$/

const importPattern =
  /(?:^|\n)\s*(?:import|export)\s[^'"`;]*?from\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)|(?:^|\n)\s*import\s+['"]([^'"]+)['"]/g

export interface Breach {
  file: string
  what: string
}

/** Reads the imports of every source file below `root` and reports each one that no arrow allows. */
export function findBreaches(root: string): Breach[] {
  return sourceFiles(join(root, 'packages')).flatMap((path) => {
    const file = relative(root, path)
    const room = rooms.find(({ files }) => files.test(file))
    const text = readFileSync(path, 'utf8')
    const breaches: Breach[] = []
    if (/\bprocess\.env\b/.test(text) && !environmentUsers.test(file)) {
      breaches.push({ file, what: 'touches process.env (only main.ts may, for config.ts)' })
    }
    if (!room) return breaches
    for (const target of importsOf(text, path, root)) {
      const inOwnFeature = sameFeature(file, target)
      if (!inOwnFeature && !room.mayImport.some((allowed) => allowed.test(target))) {
        breaches.push({ file, what: `imports ${target}` })
      }
    }
    return breaches
  })
}

function importsOf(text: string, path: string, root: string): string[] {
  const targets = [...text.matchAll(importPattern)].map((match) => match[1] ?? match[2] ?? match[3] ?? '')
  return targets.map((target) =>
    target.startsWith('.') ? relative(root, join(dirname(path), target)) : target,
  )
}

const featurePattern = /^packages\/(?:server|web)\/src\/features\/([^/]+)\//

function sameFeature(file: string, target: string): boolean {
  const feature = featurePattern.exec(file)?.[1]
  return feature !== undefined && featurePattern.exec(target)?.[1] === feature
}

/** Tests and their support may reach into any room: they stand outside the house. */
function sourceFiles(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter(
      (path) => /\/packages\/[^/]+\/src\//.test(path) && !/\/(testing|generated|node_modules)\//.test(path),
    )
}
