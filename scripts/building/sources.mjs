// The hash of everything that something is built from. What was built is marked with it, so that a second start builds nothing.
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

// An older Node 20 reads this file too, and does not know its directory by itself.
export const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
/** Tests are no part of anything that is built. */
const passedOver = /^(dist|dist\.next.*|node_modules|.*\.test\.tsx?)$/

// To read a thousand files takes longer than to see that none has changed since they were read.
const keptHashes = join(root, '.runtime/hashes.json')
/** A file that was changed just now may be changed once more within the same tick of its clock. */
const SETTLED_MS = 2_000

/** Of these files and folders of the project, by path and content. */
export function hashSources(sources) {
  const files = sources.flatMap(filesOf)
  const name = sources.join()
  const { stamp, changedAtMs } = stampOf(files)
  const kept = readKept()
  if (kept[name]?.stamp === stamp) return kept[name].hash
  const hash = hashFiles(files)
  if (Date.now() - changedAtMs > SETTLED_MS) keep({ ...kept, [name]: { stamp, hash } })
  return hash
}

function hashFiles(files) {
  const hash = createHash('sha256')
  for (const file of files)
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(root, file)))
  return hash.digest('hex')
}

/** Changes with every change of a file, and of nothing else: nobody can set the time of a file's last change. */
function stampOf(files) {
  const hash = createHash('sha256')
  let changedAtMs = 0
  for (const file of files) {
    const { ino, size, ctimeMs } = statSync(join(root, file))
    changedAtMs = Math.max(changedAtMs, ctimeMs)
    hash.update(`${file} ${ino} ${size} ${ctimeMs}\n`)
  }
  return { stamp: hash.digest('hex'), changedAtMs }
}

function readKept() {
  try {
    return JSON.parse(readFileSync(keptHashes, 'utf8'))
  } catch {
    return {}
  }
}

/** Whole, and only where it can be: without it all files are read. */
function keep(hashes) {
  try {
    mkdirSync(dirname(keptHashes), { recursive: true })
    writeFileSync(`${keptHashes}.${process.pid}`, JSON.stringify(hashes))
    renameSync(`${keptHashes}.${process.pid}`, keptHashes)
  } catch {}
}

function filesOf(path) {
  if (/\.[a-z]+$/.test(path)) return [path]
  return readdirSync(join(root, path), { withFileTypes: true })
    .filter(({ name }) => !passedOver.test(name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => (entry.isDirectory() ? filesOf(`${path}/${entry.name}`) : [`${path}/${entry.name}`]))
}
