import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { newWallet, type Received, type SentRequest } from '../sign-in.ts'
import { addPeople, type FuzzedService } from './people.ts'
import type { LoopReport } from './watch-event-loop.ts'

export interface WatchedService extends FuzzedService {
  /** What its event loop did since the last report. */
  report(): Promise<LoopReport>
  close(): Promise<void>
}

/** The service as `npm start` runs it, in a process of its own, with a watch on its event loop. */
export async function startWatchedService(): Promise<WatchedService> {
  const directory = await mkdtemp(join(tmpdir(), 'fuzz-'))
  // Open to pass through, so that the database's own account reaches its cluster when root runs this.
  await chmod(directory, 0o711)
  const port = await freePort()
  const admin = newWallet()
  const watch = join(import.meta.dirname, 'watch-event-loop.ts')
  const main = join(import.meta.dirname, '../../main.ts')
  const child = spawn(process.execPath, ['--import', watch, main], {
    env: {
      PATH: process.env.PATH,
      DATA_DIR: join(directory, 'data'),
      PORT: String(port),
      LOG_LEVEL: 'error',
      DEMO: 'off',
      RATE_LIMITS: 'off',
      ADMIN_WALLETS: admin.address,
    },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const exited = once(child, 'exit')
  const close = async () => {
    child.kill('SIGTERM')
    await exited
    await rm(directory, { recursive: true, force: true })
  }
  try {
    await readiness(child.stdout as NodeJS.ReadableStream)
    return {
      ...(await addPeople({ inject: (sent) => overHttp(port, sent) }, admin)),
      async report() {
        const told = once(child, 'message')
        child.send('report')
        const [report] = await told
        return report
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function readiness(output: NodeJS.ReadableStream): Promise<void> {
  for await (const line of createInterface(output)) {
    if (!line.includes('is ready at')) continue
    // Whatever follows is not kept, and must not fill the pipe.
    output.resume()
    return
  }
  throw new Error('the service did not start')
}

/** Sent as it is: whatever a request says, it is written into the bytes and nothing is added but a length. */
async function overHttp(
  port: number,
  { method = 'GET', url, headers, payload }: SentRequest,
): Promise<Received> {
  const isObject = typeof payload === 'object' && !Buffer.isBuffer(payload)
  const body = isObject ? JSON.stringify(payload) : payload
  const sent = request({
    host: '127.0.0.1',
    port,
    method,
    path: url,
    headers: {
      ...(isObject ? { 'content-type': 'application/json' } : {}),
      ...headers,
      ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
    },
  })
  sent.end(body)
  const [response] = await once(sent, 'response')
  const received = await text(response)
  return {
    statusCode: response.statusCode,
    headers: response.headers,
    body: received,
    json: () => JSON.parse(received),
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}
