import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { createTestHttp } from '../../testing/test-http.ts'

const TIMES = 10

/** A process of its own, as real clients are: in one process, client and server would wait for each other. */
const sending = `
  const [, url, times] = process.argv
  const body = Buffer.alloc(20_000_000, 'a')
  const send = () => fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  for (let count = 0; count < Number(times); count += 1)
    console.log(await send().then(({ status }) => status, ({ cause }) => cause.code))
`

test('a client that is still sending a body that is too large reads that it is', async () => {
  const server = await createTestHttp([])
  server.app.post('/body', async () => 'done')
  const url = `${await server.app.listen({ port: 0, host: '127.0.0.1' })}/body`
  const client = spawn(
    process.execPath,
    ['--input-type=module', '--eval', sending, '--', url, String(TIMES)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  expect((await text(client.stdout)).trim().split('\n')).toEqual(Array(TIMES).fill('413'))
  await server.close()
})
