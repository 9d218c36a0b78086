import { cruise, type ICruiseResult, type IForbiddenRuleType } from 'dependency-cruiser'

/** A file may import from the rooms listed for the first pattern that its path fits. Patterns are of resolved paths. */
interface Room {
  files: string
  mayImport: string[]
  /** Whether it may use what Node brings. */
  usesNode?: boolean
}

const packages = ['contract', 'chain', 'sdk', 'mcp', 'cli', 'server', 'web']

const library = (name: string) => `(^|/)node_modules/${name}/`
/** All but viem, which stays behind the chain. */
const libraries = '(^|/)node_modules/(?!viem/)'
/** Other packages enter by the doors that the package exports. */
const contract = '^packages/contract/src/(index|agents/reputation/rating|base/lengths)\\.ts$'
const chain = '^packages/chain/src/(devnet/)?index\\.ts$'
const sdk = '^packages/sdk/src/index\\.ts$'
const mcp = '^packages/mcp/src/(index|stdio/serve-stdio)\\.ts$'
const server = (path: string) => `^packages/server/src/${path}`
const web = (path: string) => `^packages/web/src/${path}`
const anyPort = server('ports/[^/]+/port\\.ts$')
/** A port of many words is written in several files; the others know it by its door alone. */
const portFiles = server('ports/[^/]+/port[a-z-]*\\.ts$')
const forPages = '^packages/chain/src/(events|escrowEnums|safeEvents|errors)\\.ts$'
const chainEvents = '^packages/chain/src/events\\.ts$'
const webLibraries = [contract, chainEvents, sdk, library('viem'), libraries]

/** The arrows of the house: who may import whom. Everything that is not listed is forbidden. */
export const rooms: Room[] = [
  { files: '^packages/contract/src/', mayImport: [library('typebox'), '^packages/contract/src/'] },
  // What pages load of it: a browser has neither Node nor, by the policy of ours, WebAssembly.
  { files: forPages, mayImport: [library('viem'), forPages, '^packages/chain/src/generated/events\\.ts$'] },
  {
    files: '^packages/chain/src/devnet/',
    mayImport: [
      contract,
      library('viem'),
      library('hardhat'),
      library('@nomicfoundation/edr'),
      library('@safe-global/[^/]+'),
      '^packages/chain/src/',
    ],
    usesNode: true,
  },
  {
    files: '^packages/chain/src/',
    mayImport: [
      contract,
      library('viem'),
      library('hash-wasm'),
      library('secp256k1'),
      '^packages/chain/src/(?!devnet/)',
    ],
    usesNode: true,
  },
  {
    files: '^packages/sdk/src/',
    mayImport: [contract, library('(viem|eventsource-parser|standardwebhooks)'), '^packages/sdk/src/'],
  },
  {
    files: '^packages/mcp/src/',
    mayImport: [contract, sdk, library('(typebox|@modelcontextprotocol/server)'), '^packages/mcp/src/'],
  },
  {
    files: '^packages/cli/src/',
    mayImport: [contract, sdk, mcp, library('(viem|ox)'), '^packages/cli/src/'],
    usesNode: true,
  },
  { files: server('platform/'), mayImport: [contract, libraries, server('platform/')], usesNode: true },
  { files: portFiles, mayImport: [contract, portFiles] },
  {
    files: server('ports/'),
    mayImport: [contract, chain, libraries, server('(ports|platform)/')],
    usesNode: true,
  },
  {
    files: server('money/'),
    mayImport: [contract, libraries, server('(money|platform)/'), anyPort],
    usesNode: true,
  },
  {
    files: server('house/'),
    mayImport: [
      contract,
      libraries,
      server('(house|money|platform)/'),
      server('config/config\\.ts$'),
      anyPort,
    ],
  },
  {
    // The tools are written once, on the SDK; here they call into the service itself.
    files: server('features/mcp/'),
    mayImport: [contract, sdk, mcp, libraries, server('features/mcp/'), server('(house|platform)/')],
  },
  {
    // $1 and $2 are the package and the feature of the file that imports.
    files: '^packages/(server)/src/features/([^/]+)/',
    mayImport: [
      contract,
      libraries,
      '^packages/$1/src/features/$2/',
      server('(house|money|platform)/'),
      anyPort,
    ],
    usesNode: true,
  },
  {
    files: server('(config/|sandbox-secrets\\.ts$)'),
    mayImport: [contract, server('(config|platform)/')],
    usesNode: true,
  },
  {
    files: server('prepared/'),
    mayImport: [libraries, server('(prepared|config|platform)/|sandbox-(reset|secrets)\\.ts$')],
    usesNode: true,
  },
  {
    files: server('(check-port|stop-on-signals)\\.ts$'),
    mayImport: [server('(config|platform)/')],
    usesNode: true,
  },
  {
    // It is played through the app.
    files: server('demo/'),
    mayImport: [contract, chain, libraries, server('(?!(main|prepare|service)\\.ts$)')],
    usesNode: true,
  },
  { files: server('sandbox-reset\\.ts$'), mayImport: [library('pg'), server('platform/')], usesNode: true },
  { files: server('invariants\\.ts$'), mayImport: [server('(money|features)/')] },
  {
    files: server('(?:adapters|databases)\\.ts$'),
    mayImport: [contract, chain, libraries, server('(?!demo/|features/|composition/)')],
    usesNode: true,
  },
  {
    files: server('((composition|sealing)/|(app|main|prepare|data|embedded-chain|service)\\.ts$)'),
    mayImport: [contract, chain, libraries, server('')],
    usesNode: true,
  },
  { files: web('(routes/|(main|router)\\.tsx$)'), mayImport: [sdk, libraries, web('')] },
  {
    files: '^packages/(web)/src/features/([^/]+)/',
    mayImport: [...webLibraries, '^packages/$1/src/features/$2/', web('(?!features/|router|routes/|main)')],
  },
  { files: web('(?!features/)'), mayImport: [...webLibraries, web('(?!features/)')] },
]

/** Tests and their support may reach into any room: they stand outside the house. */
const outside = ['/testing/', '/generated/']

const ruleSet: { forbidden: IForbiddenRuleType[] } = {
  forbidden: [
    { name: 'circle', severity: 'error', from: { pathNot: outside }, to: { circular: true } },
    // What is not found is not judged, so it must not be there.
    { name: 'not found', severity: 'error', from: {}, to: { couldNotResolve: true } },
    { name: 'test support', severity: 'error', from: { pathNot: outside }, to: { path: '/testing/' } },
    ...rooms.map(({ files, mayImport, usesNode }, index): IForbiddenRuleType => {
      const earlier = rooms.slice(0, index).map((room) => room.files)
      return {
        name: `arrow from ${files}`,
        severity: 'error',
        from: { path: files, pathNot: [...outside, ...earlier] },
        to: { pathNot: mayImport, ...(usesNode ? { dependencyTypesNot: ['core'] } : {}) },
      }
    }),
  ],
}

export interface Breach {
  file: string
  imports: string
  rule: string
}

export interface Checked {
  breaches: Breach[]
  /** Every file that was read, with how many imports were found in it. */
  importsOf: ReadonlyMap<string, number>
}

/** Reads the imports of every source file below `root`, types included, and reports each one that no arrow allows. */
export async function checkArrows(root: string, present: readonly string[] = packages): Promise<Checked> {
  const { output } = await cruise(
    present.map((name) => `packages/${name}/src`),
    {
      baseDir: root,
      // TypeScript 7 has no interface for programs yet, and without a parser the tool would find nothing.
      parser: 'swc',
      tsPreCompilationDeps: true,
      validate: true,
      ruleSet,
      exclude: { path: ['\\.test\\.tsx?$'] },
      doNotFollow: { path: ['(^|/)node_modules/'] },
    },
    { conditionNames: ['import', 'types', 'node', 'default'], exportsFields: ['exports'] },
  )
  const { modules, summary } = output as ICruiseResult
  return {
    breaches: summary.violations.map(({ from, to, rule }) => ({ file: from, imports: to, rule: rule.name })),
    importsOf: new Map(
      modules
        .filter(({ source }) => source.startsWith('packages/'))
        .map(({ source, dependencies }) => [source, dependencies.length]),
    ),
  }
}
