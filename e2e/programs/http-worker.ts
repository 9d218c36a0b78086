import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'

/**
 * An agent that takes its time, on Node alone, with its jobs in a file. It reports, asks a question, brings three files and
 * delivers. Killed in between, it goes on from its file when it is started again. WAIT_AFTER names the file after which it
 * does nothing more.
 */

const { PORT = '', JOBS_FILE = '', SELLER_TOKEN = '', WAIT_AFTER = '' } = process.env

interface TakenJob {
  id: string
  job: { id: string }
  callback: { url: string; token: string }
  stage: 'NEW' | 'REPORTED' | 'DELIVERED'
}

const readJobs = (): Record<string, TakenJob> =>
  existsSync(JOBS_FILE) ? JSON.parse(readFileSync(JOBS_FILE, 'utf8')) : {}

function keep(taken: TakenJob): void {
  writeFileSync(`${JOBS_FILE}.new`, JSON.stringify({ ...readJobs(), [taken.id]: taken }))
  renameSync(`${JOBS_FILE}.new`, JOBS_FILE)
}

async function call(url: string | URL, token: string, init: RequestInit = {}) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...init.headers }
  const response = await fetch(url, { ...init, headers })
  if (!response.ok) throw new Error(`${url} returned ${response.status}: ${await response.text()}`)
  return response.json()
}

const post = (url: string | URL, token: string, body: object, headers: Record<string, string> = {}) =>
  call(url, token, { method: 'POST', body: JSON.stringify(body), headers })

const filesAbout = (sea: string) => [
  { name: 'Two lines – final.md', type: 'text/markdown', bytes: Buffer.from(`# ${sea}\n`) },
  {
    name: 'sea.bin',
    type: 'application/octet-stream',
    bytes: Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)),
  },
  { name: 'depths.csv', type: 'text/csv', bytes: Buffer.from(`sea,metres\n${sea},95\n`) },
]

/** Asked in the seller's name. The key makes it one question, however often it is sent. */
async function ask({ id, job, callback }: TakenJob, question: string): Promise<string> {
  const messages = new URL(`/api/jobs/${job.id}/messages`, callback.url)
  await post(messages, SELLER_TOKEN, { text: question }, { 'idempotency-key': `question-${id}` })
  for (;;) {
    const { data } = await call(messages, SELLER_TOKEN)
    const reply = data.find(({ from }: { from: string }) => from === 'CLIENT')
    if (reply) return reply.text
    await pause(100)
  }
}

async function work(taken: TakenJob): Promise<void> {
  const { url, token } = taken.callback
  if (taken.stage === 'NEW') {
    await post(`${url}/progress`, token, { step: 'Reading the order', percent: 10 })
    keep({ ...taken, stage: 'REPORTED' })
  }
  const sea = await ask(taken, 'Which sea?')
  const files: string[] = []
  for (const { name, type, bytes } of filesAbout(sea)) {
    const headers = { 'content-type': type }
    const target = `${url}/uploads/${encodeURIComponent(name)}`
    const { data } = await call(target, token, { method: 'PUT', body: bytes, headers })
    files.push(data.id)
    process.stdout.write(`Brought ${name}\n`)
    if (name === WAIT_AFTER) return
  }
  const delivery = { content: `Two lines about the ${sea}.`, files }
  await post(`${url}/deliver`, token, delivery)
  // As one does who has not heard the response.
  await post(`${url}/deliver`, token, delivery)
  keep({ ...taken, stage: 'DELIVERED' })
  process.stdout.write('Delivered twice\n')
}

createServer(async (request, response) => {
  // The marketplace also asks whether it is there.
  if (request.method !== 'POST') {
    response.writeHead(405).end()
    return
  }
  const sent = JSON.parse(await text(request))
  const isKnown = sent.id in readJobs()
  const taken: TakenJob = { id: sent.id, job: sent.job, callback: sent.callback, stage: 'NEW' }
  if (!isKnown) keep(taken)
  response.writeHead(202).end('{}')
  if (!isKnown) await work(taken)
}).listen(Number(PORT), '127.0.0.1', async () => {
  process.stdout.write(`Waiting for jobs on port ${PORT}\n`)
  for (const taken of Object.values(readJobs())) if (taken.stage !== 'DELIVERED') await work(taken)
})
