import { createBudget } from './budget.ts'

/** A denied package is named twice, so this is half of what a result may hold. */
const LISTED_BYTES = 40_000
const MAX_LISTED_PACKAGES = 1_500
const MAX_NAME_LENGTH = 300

export interface LockfileInput {
  lockfile: string
  includeDev?: boolean
  denied?: string[]
}

export interface LicenceList {
  packages: number
  licences: { licence: string; packages: string[] }[]
  /** Packages whose licence the lockfile does not name. */
  unknown: string[]
  denied: string[]
  packagesLeftOut: number
  problems: string[]
}

interface Package {
  /** With its version. */
  name: string
  /** Empty where none is named. */
  licence: string
}

/** The licences of everything that a package-lock.json installs, from the file alone. */
export function listLicences({ lockfile, includeDev = true, denied = [] }: LockfileInput): LicenceList {
  const { entries, problems } = readEntries(lockfile)
  const packages = packagesOf(entries, includeDev)
  const isDenied = createDenial(denied)
  const budget = createBudget({ bytes: LISTED_BYTES, entries: MAX_LISTED_PACKAGES })
  const listed = packages.filter(({ name, licence }) => budget.take(`${name}${licence}`))
  const namesOf = (some: readonly Package[]) => some.map(({ name }) => name)
  const known = listed.filter(({ licence }) => licence !== '')
  const licences = [...Map.groupBy(known, ({ licence }) => licence)]
    .map(([licence, some]) => ({ licence, packages: namesOf(some) }))
    .sort((one, other) => other.packages.length - one.packages.length || compare(one.licence, other.licence))
  return {
    packages: packages.length,
    licences,
    unknown: namesOf(listed.filter(({ licence }) => licence === '')),
    denied: namesOf(listed.filter(({ licence }) => isDenied(licence))),
    packagesLeftOut: packages.length - listed.length,
    problems,
  }
}

function readEntries(lockfile: string): { entries: [string, unknown][]; problems: string[] } {
  const file = parse(lockfile)
  if (!isObject(file))
    return { entries: [], problems: ['This is no package-lock.json: it holds no JSON object.'] }
  if (!isObject(file.packages))
    return {
      entries: [],
      problems: ['The lockfile has no `packages`, which name the licences. npm 7 and newer write them.'],
    }
  return { entries: Object.entries(file.packages), problems: [] }
}

/** Name and version with the licence, each once and in order; the project itself and its workspaces are left out. */
function packagesOf(entries: readonly [string, unknown][], includeDev: boolean): Package[] {
  const found = new Map<string, string>()
  for (const [path, entry] of entries) {
    const place = path.lastIndexOf('node_modules/')
    if (place === -1 || !isObject(entry) || entry.link === true) continue
    if (!includeDev && entry.dev === true) continue
    const name = typeof entry.name === 'string' ? entry.name : path.slice(place + 'node_modules/'.length)
    const version = typeof entry.version === 'string' ? `@${entry.version}` : ''
    found.set(clip(`${name}${version}`), licenceOf(entry.license))
  }
  return [...found]
    .map(([name, licence]) => ({ name, licence }))
    .sort((one, other) => compare(one.name, other.name))
}

/** Old packages have an object in its place. */
function licenceOf(value: unknown): string {
  if (typeof value === 'string') return clip(value)
  return isObject(value) && typeof value.type === 'string' ? clip(value.type) : ''
}

/** A licence is denied where its expression names one that is, whatever else it offers. */
function createDenial(denied: readonly string[]): (licence: string) => boolean {
  const names = new Set(denied.map((name) => name.trim().toLowerCase()))
  return (licence) =>
    licence
      .toLowerCase()
      .split(/[\s()]+/)
      .some((name) => names.has(name))
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const clip = (text: string): string =>
  text
    .slice(0, MAX_NAME_LENGTH)
    .toWellFormed()
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()

/** By code units, so that the order is the same everywhere. */
const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)
