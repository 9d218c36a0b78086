import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openHouse } from './house.ts'

type Deps = Parameters<typeof openHouse>[0]
type House = Awaited<ReturnType<typeof openHouse>>

test('a sandbox starts also where the house agents cannot be looked up', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'house-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
  const closers: Parameters<typeof openHouse>[1] = []
  const unavailable = () => Promise.reject(new Error('unavailable'))
  const log = { warn: vi.fn() }
  const deps = { config: { dataDir }, db: { one: unavailable }, log, wallClock: { now: () => new Date() } }
  const house = await openHouse(deps as unknown as Deps, closers)
  await house.openFor({ inject: unavailable } as unknown as Parameters<House['openFor']>[0])
  expect(log.warn).toHaveBeenCalledOnce()
  for (const close of closers.toReversed()) await close()
})
