import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Making the data leaves a heap twice as large as serving needs, and a quiet sandbox would keep it: nothing happens there
 * that makes Node look for garbage. This gives it back to the system.
 */
export function releaseMemory(): void {
  setFlagsFromString('--expose-gc')
  const collect: NodeJS.GCFunction = runInNewContext('gc')
  setFlagsFromString('--no-expose-gc')
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
