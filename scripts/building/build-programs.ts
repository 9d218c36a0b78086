import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Plugin, rolldown } from 'rolldown'

const ownCode = join(import.meta.dirname, '../../packages/')

/** Packages of many small modules. All others are loaded as they are: some bring programs, workers or files of their own. */
const bundled =
  /^(?:typebox|viem|ox|abitype|jose|multiformats|ipfs-|@ipld\/|@x402\/|@a2a-js\/|@modelcontextprotocol\/|re2js|prom-client|fastify$|pg$|pg-boss|ioredis|standardwebhooks|lru-cache|aws4fetch)/

/**
 * Builds programs of `packages/`, such as `server/src/main.ts`, into a directory below `node_modules`, where everything that
 * is not built in is found. To find, strip and compile the service's 2,500 modules is most of what a start costs. Together:
 * what several of them need is built once.
 */
export async function buildPrograms(directory: string, programs: readonly string[]): Promise<void> {
  const bundle = await rolldown({
    input: Object.fromEntries(programs.map((path) => [path.replace(/\.ts$/, ''), join(ownCode, path)])),
    platform: 'node',
    logLevel: 'silent',
    plugins: [keepPackagesApart(), keepPlaces()],
  })
  await bundle.write({
    dir: directory,
    format: 'esm',
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name]-[hash].mjs',
  })
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
