// Builds the packages that can be published, each into a directory with its own manifest: npm run build:packages [directory]
import { execFile } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '../..')
const compiler = join(root, 'node_modules/typescript/bin/tsc')

/** Each needs only those before it. */
export const published = ['contract', 'sdk', 'mcp', 'cli'] as const

interface Manifest {
  private?: boolean
  scripts?: unknown
  exports?: Record<string, string>
  bin?: Record<string, string>
  [field: string]: unknown
}

/**
 * In the workspace a package is its sources: nothing is built to start or test. What is published is made here: ESM
 * JavaScript with types, and a manifest whose doors lead to them.
 */
export async function buildPackages(target: string): Promise<string[]> {
  return Promise.all(published.map((name) => buildPackage(name, join(target, name))))
}

async function buildPackage(name: string, target: string): Promise<string> {
  const source = join(root, 'packages', name)
  const output = join(target, 'dist')
  rmSync(target, { recursive: true, force: true })
  mkdirSync(target, { recursive: true })
  const project = join(source, 'tsconfig.build.json')
  await promisify(execFile)(process.execPath, [compiler, '-p', project, '--outDir', output])
  for (const path of globSync('**/*.d.ts', { cwd: output })) pointToJavaScript(join(output, path))
  const manifest = publishedManifest(JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')))
  for (const path of Object.values(manifest.bin ?? {})) chmodSync(join(target, path), 0o755)
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`)
  cpSync(join(root, 'LICENSE'), join(target, 'LICENSE'))
  for (const part of ['README.md', 'templates'])
    if (existsSync(join(source, part))) cpSync(join(source, part), join(target, part), { recursive: true })
  return target
}

/** The compiler rewrites the imports of JavaScript, and leaves those of types as they are in the sources. */
function pointToJavaScript(path: string): void {
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, text.replaceAll(/((?:from|import)\s*\(?\s*['"]\.{1,2}\/[^'"]+)\.ts(?=['"])/g, '$1.js'))
}

export function publishedManifest({
  private: _,
  scripts: __,
  exports,
  bin,
  ...manifest
}: Manifest): Manifest {
  const built = (path: string, extension: string) =>
    path.replace(/^\.\/src\//, './dist/').replace(/\.ts$/, extension)
  const doors = Object.entries(exports ?? {}).map(([door, path]) => [
    door,
    { types: built(path, '.d.ts'), default: built(path, '.js') },
  ])
  return {
    ...manifest,
    engines: { node: '>=20' },
    files: ['dist', 'templates'],
    ...(exports && { exports: Object.fromEntries(doors) }),
    ...(bin && {
      bin: Object.fromEntries(Object.entries(bin).map(([name, path]) => [name, built(path, '.js').slice(2)])),
    }),
  }
}

if (process.argv[1] === import.meta.filename) {
  const target = resolve(process.argv[2] ?? join(root, 'dist'))
  for (const directory of await buildPackages(target)) console.log(directory)
}
