// npm leaves the native packages of other platforms out of the lockfile when the registry at hand does not carry them,
// and `npm ci` then refuses the lockfile everywhere. Their versions are known from the package that wants them, and their
// platform from their names, so they are added here. Run it after every `npm install` that changed the lockfile.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const path = join(import.meta.dirname, '..', 'package-lock.json')
const systems = [
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
]
const processors = ['arm', 'arm64', 'ia32', 'loong64', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64']

const lock = JSON.parse(readFileSync(path, 'utf8'))
let added = 0
for (const { where, name, version, isDev } of missingOptionalPackages(lock)) {
  const words = name.split(/[-/]/)
  const os = systems.filter((system) => words.includes(system))
  const cpu = processors.filter((processor) => words.includes(processor))
  if (os.length === 0 && cpu.length === 0)
    throw new Error(`${where} wants ${name}, and its name does not say for which platform it is.`)
  lock.packages[`node_modules/${name}`] = {
    version: version.replace(/^[~^]/, ''),
    ...(cpu.length > 0 && { cpu }),
    ...(isDev && { dev: true }),
    ...(words.includes('musl') && { libc: ['musl'] }),
    optional: true,
    ...(os.length > 0 && { os }),
  }
  added += 1
}
for (const entry of Object.values(lock.packages)) if (!entry.link) delete entry.resolved
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)))
writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`)
console.log(`${added} packages of other platforms added to the lockfile`)

function missingOptionalPackages({ packages }) {
  return Object.entries(packages).flatMap(([where, entry]) =>
    Object.entries(entry.optionalDependencies ?? {})
      .filter(([name]) => !packages[`${where}/node_modules/${name}`] && !packages[`node_modules/${name}`])
      .map(([name, version]) => ({ where, name, version, isDev: entry.dev === true })),
  )
}
