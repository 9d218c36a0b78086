import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync } from 'node:fs'
import { inject } from 'vitest'
import { dataHome } from '../../packages/server/src/testing/processes/data-home.ts'
import { temporaryDirectory } from './service-process.ts'

/**
 * A directory whose `data` holds a database that is made and migrated, but empty: a copy of the one that the run has
 * prepared. To make one takes a third of what a start costs; `start.test.ts` sees to it that a start makes its own.
 */
export function preparedDirectory(): ReturnType<typeof temporaryDirectory> {
  const directory = temporaryDirectory(dataHome())
  const cluster = inject('preparedCluster')
  if (cluster === null) return directory
  const dataDir = `${directory.path}/data`
  mkdirSync(dataDir)
  chmodSync(dataDir, 0o711)
  // With the owner that PostgreSQL insists on, which Node's own copy does not keep.
  execFileSync('cp', ['-pR', cluster, `${dataDir}/postgres`])
  return directory
}
