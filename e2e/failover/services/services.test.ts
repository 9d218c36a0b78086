import { expect, onTestFinished, test } from 'vitest'
import { temporaryDirectory } from '../../service/service-process.ts'
import type { Child, Children } from '../children.ts'
import { startService } from './services.ts'

/** A process that ends with this when it is asked to. */
function createEnding(exitCode: number | null, signalCode: string | null): Children {
  const start = (name: string): Child => {
    const exited = Promise.withResolvers<void>()
    const process = { exitCode, signalCode } as Child['process']
    return { name, process, exited: exited.promise, isRunning: () => true, end: async () => exited.resolve() }
  }
  return { start, endAll: async () => undefined }
}

test.each([
  [1, null, '1'],
  [null, 'SIGKILL', 'SIGKILL'],
] as const)('a stop that ends with %s %s is no graceful restart', async (exitCode, signalCode, shown) => {
  const { path: directory, remove } = temporaryDirectory()
  onTestFinished(remove)
  const children = createEnding(exitCode, signalCode)
  const service = await startService('api-1', 'api', { children, directory, environment: {} })
  await expect(service.restart()).rejects.toThrow(`api-1 did not stop in good order: ${shown}`)
  await service.stop()
})
