import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { basename, join } from 'node:path'

const root = join(import.meta.dirname, '../..')
const copied = [
  'docs',
  'examples',
  'packages',
  'scripts',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
]
const notCloned = /^(?:node_modules|dist(?:\.next.*)?)$/
/** What belongs to this installation, or points into it. */
const ofThisOne = /^\.(?:service|vite)|^@agent-marketplace$/

/** This project as it is after `npm ci` on a fresh clone: nothing is built yet. Packages of others are linked. */
export function layOutFreshInstallation(place: string): void {
  for (const name of copied)
    cpSync(join(root, name), join(place, name), {
      recursive: true,
      filter: (path) => !notCloned.test(basename(path)),
    })
  const packages = join(place, 'node_modules')
  mkdirSync(join(packages, '@agent-marketplace'), { recursive: true })
  for (const name of readdirSync(join(place, 'packages')))
    symlinkSync(`../../packages/${name}`, join(packages, '@agent-marketplace', name))
  for (const name of readdirSync(join(root, 'node_modules')).filter((entry) => !ofThisOne.test(entry)))
    symlinkSync(join(root, 'node_modules', name), join(packages, name))
}
