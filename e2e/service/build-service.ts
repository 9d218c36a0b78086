import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { buildPrograms } from '../../scripts/building/build-programs.ts'
import { BUILT_DIRECTORY, programs } from './built-program.ts'

const packagesOfAll = join(import.meta.dirname, '../../node_modules')

/** Builds the programs that tests start, once for all tests of a run. */
export default async function setup(): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(packagesOfAll, '.service-under-test-'))
  const remove = () => rm(directory, { recursive: true })
  try {
    await buildPrograms(directory, programs)
  } catch (error) {
    await remove()
    throw error
  }
  // Inherited by the processes of the tests.
  process.env[BUILT_DIRECTORY] = directory
  return remove
}
