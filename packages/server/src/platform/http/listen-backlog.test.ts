import { existsSync, readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { createTestHttp } from '../../testing/test-http.ts'
import { listen } from './listen.ts'

const SYSTEM_LIMIT = '/proc/sys/net/core/somaxconn'
const mostWaiting = existsSync(SYSTEM_LIMIT) ? Number(readFileSync(SYSTEM_LIMIT, 'utf8')) : 128
const COUNT = Math.min(1_000, mostWaiting)

/** Opens connections from another thread than the one that accepts them, which it wakes when all are open or after ten seconds. */
const opening = `
  const { connect } = require('node:net')
  const { workerData: { port, count, opened } } = require('node:worker_threads')
  const wake = () => { Atomics.store(opened, 1, 1); Atomics.notify(opened, 1) }
  for (let index = 0; index < count; index += 1)
    connect(port, '127.0.0.1').on('error', () => undefined).on('connect', () => {
      if (Atomics.add(opened, 0, 1) + 1 === count) wake()
    })
  setTimeout(wake, 10_000).unref()
`

test('a thousand connections that come while the process is busy wait for it, and none is dropped', async () => {
  const { app, close } = await createTestHttp([])
  await listen(app, { host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const opened = new Int32Array(new SharedArrayBuffer(8))
  const clients = new Worker(opening, { eval: true, workerData: { port, count: COUNT, opened } })
  Atomics.wait(opened, 1, 0, 30_000)
  expect(Atomics.load(opened, 0)).toBe(COUNT)
  await clients.terminate()
  await close()
})
