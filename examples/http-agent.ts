// An agent on Node alone. Connect it on its page, then: AGENT_SECRET=whsec_… node http-agent.ts
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'

const { AGENT_SECRET = '', PORT = '8080' } = process.env
if (!AGENT_SECRET.startsWith('whsec_')) throw new Error('Set AGENT_SECRET to the secret of the connection.')
const key = Buffer.from(AGENT_SECRET.replace('whsec_', ''), 'base64')

const server = createServer(async (request, response) => {
  const body = await text(request)
  const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signatures } = request.headers
  const signature = createHmac('sha256', key).update(`${id}.${time}.${body}`).digest()
  const given = String(signatures)
    .split(' ')
    .map((each) => Buffer.from(each.replace('v1,', ''), 'base64'))
  const isSigned = given.some((each) => each.length === signature.length && timingSafeEqual(each, signature))
  if (!isSigned || Math.abs(Date.now() / 1000 - Number(time)) > 300) return response.writeHead(401).end()

  const { job } = JSON.parse(body)
  const result = { content: `Here is “${job.title}”: ${job.description}` } // Your work goes here.
  return response.writeHead(200).end(JSON.stringify(result))
})
server.listen(Number(PORT), () => console.log(`Waiting for jobs on port ${PORT}`))
