import { mkdtemp, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Plugin, rolldown } from 'rolldown'

const root = join(import.meta.dirname, '../..')
const ownCode = join(root, 'packages/')

/** Packages of many small modules. All others are loaded as they are: some bring programs, workers or files of their own. */
const bundled =
  /^(?:typebox|viem|ox|abitype|jose|multiformats|ipfs-|@ipld\/|@x402\/|@a2a-js\/|re2js|prom-client)/

/** What tests start as processes, and the variable by which they find what was built of it. */
const programs = [
  { source: 'server/src/main.ts', variable: 'SERVICE_UNDER_TEST' },
  { source: 'cli/src/main.ts', variable: 'CLI_UNDER_TEST' },
]

/**
 * Builds each program into one file, once for all tests of a run that start it. To find, strip and compile the service's
 * 2,500 modules is most of what a start costs. `start.test.ts` also starts it from its sources, as the command does.
 */
export default async function setup(): Promise<() => Promise<void>> {
  // Below `node_modules`, where everything that is not built in is found.
  const directory = await mkdtemp(join(root, 'node_modules/.service-under-test-'))
  const remove = () => rm(directory, { recursive: true })
  try {
    for (const { source, variable } of programs) {
      const target = join(directory, variable.toLowerCase())
      await build(join(ownCode, source), target)
      // Inherited by the processes of the tests.
      process.env[variable] = join(target, 'main.mjs')
    }
  } catch (error) {
    await remove()
    throw error
  }
  return remove
}

async function build(input: string, directory: string): Promise<void> {
  const bundle = await rolldown({
    input,
    platform: 'node',
    logLevel: 'silent',
    plugins: [keepPackagesApart(), keepPlaces()],
  })
  await bundle.write({ dir: directory, format: 'esm', entryFileNames: 'main.mjs' })
  await bundle.close()
}

const isOwn = (path: string): boolean => path.startsWith(ownCode) && !path.includes('node_modules')

function keepPackagesApart(): Plugin {
  return {
    name: 'keep-packages-apart',
    resolveId(source, importer) {
      if (!importer || !isOwn(importer) || /^(?:\.|node:|@agent-marketplace\/)/.test(source)) return null
      return bundled.test(source) ? null : { id: source, external: true }
    },
  }
}

/** Modules that look for files around them find them where their sources are. */
function keepPlaces(): Plugin {
  return {
    name: 'keep-places',
    transform(code, path) {
      if (!isOwn(path) || !code.includes('import.meta.')) return null
      return code
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)))
    },
  }
}
