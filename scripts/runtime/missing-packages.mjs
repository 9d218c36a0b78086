// npm passes over an optional package that it could not download, without a word and with exit code 0. Native parts are such
// packages, one for each platform: without ours the chain, the database or the page's build fail much later.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The machine that packages are installed for. */
export const thisMachine = {
  platform: process.platform,
  arch: process.arch,
  libc: process.report?.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl',
}

/** The packages of the lockfile that this machine should have and does not. */
export function missingPackages(root, { platform, arch, libc } = thisMachine) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const isFor = (wanted, here) => wanted === undefined || wanted.includes(here)
  return Object.entries(packages)
    .filter(
      ([path, { os, cpu, libc: c }]) =>
        path !== '' && isFor(os, platform) && isFor(cpu, arch) && (platform !== 'linux' || isFor(c, libc)),
    )
    .map(([path]) => path)
    .filter((path) => !existsSync(join(root, path, 'package.json')))
}
