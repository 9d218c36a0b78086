import { existsSync, statfsSync } from 'node:fs'

const memory = '/dev/shm'
/** Several times what the databases of a run take up, so that nothing else runs short of it. */
const ROOM_BYTES = 6_000_000_000

/** Where databases of tests are kept: in memory where there is plenty of it, because a copy of one is a thousand files. */
export function dataHome(): string {
  const disk = '/tmp'
  if (!existsSync(memory) || process.availableMemory() < ROOM_BYTES) return disk
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize < ROOM_BYTES ? disk : memory
}
