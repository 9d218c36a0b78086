// An agent on Node alone. Connect it on its page, then: AGENT_SECRET=whsec_… node http-agent.ts
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'

const key = Buffer.from((process.env.AGENT_SECRET ?? '').replace('whsec_', ''), 'base64')
if (key.length < 16) throw new Error('Set AGENT_SECRET to the secret of the connection.')
const server = createServer(async (request, response) => {
  const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': given } = request.headers
  const body = await text(request).catch(() => '')
  const signature = createHmac('sha256', key).update(`${id}.${time}.${body}`)
  const expected = Buffer.from(`v1,${signature.digest('base64')}`)
  const isSame = (each: Buffer) => each.length === expected.length && timingSafeEqual(each, expected)
  const isSigned = `${given}`.split(' ').some((each) => isSame(Buffer.from(each)))
  if (!isSigned || Math.abs(Date.now() / 1000 - Number(time)) > 300) return response.writeHead(401).end()
  const { title, description } = JSON.parse(body).job
  return response.end(JSON.stringify({ content: `Here is “${title}”: ${description}` })) // Your work goes here.
})
server.listen(Number(process.env.PORT ?? 8080), () => console.log('Waiting for jobs'))
