import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { startWorld } from './testing/start-world.ts'

test('MAX_CONNECTIONS gives one address a quarter, and a trusted proxy all', async () => {
  const world = await startWorld({ environment: { MAX_CONNECTIONS: '100', TRUSTED_PROXIES: '127.0.0.2' } })
  onTestFinished(() => world.close())
  const url = new URL(await world.http.listen({ port: 0, host: '0.0.0.0' }))
  const open = async (localAddress: string) => {
    const accepted = once(world.http.server, 'connection')
    const socket = connect({ port: Number(url.port), host: '127.0.0.1', localAddress })
    // One that is closed may be reset.
    socket.on('error', () => undefined)
    onTestFinished(() => void socket.destroy())
    await accepted
  }
  const openCount = async () => {
    const { body } = await world.http.inject('/metrics')
    return Number(/^http_connections_open (\d+)$/m.exec(body)?.[1])
  }
  for (let count = 0; count < 30; count += 1) await open('127.0.0.1')
  expect(await openCount()).toBe(25)
  for (let count = 0; count < 60; count += 1) await open('127.0.0.2')
  expect(await openCount()).toBe(85)
})
