import { expect, test } from 'vitest'
import { createDoor } from './door.ts'
import { startSignOuts } from './sign-outs.ts'

/** Two processes that sign everybody in; the second returns this for what it is asked about a session. */
function startPair(statusThere: number) {
  const door = createDoor([])
  const replies: Record<string, object> = {
    '/api/auth/request-nonce': { nonce: 'n', message: 'Sign in.' },
    '/api/auth/verify-signature': { token: 't' },
  }
  const asked = Promise.withResolvers<void>()
  const sendTo: typeof door.sendTo = async (_api, _address, path) => {
    const data = replies[path]
    if (data) return Response.json({ data })
    asked.resolve()
    return Response.json({}, { status: statusThere })
  }
  const apis = ['api-1', 'api-2'].map((name) => ({ name, url: 'http://service.invalid' }))
  return { door, asked: asked.promise, signOuts: startSignOuts(apis, { ...door, sendTo }) }
}

test('a token that the other process never accepted is a failure, and no measurement', async () => {
  const { door, asked, signOuts } = startPair(401)
  await asked
  await signOuts.stop()
  expect(signOuts.all).toEqual([])
  expect(door.problems[0]).toMatch(/api-\d did not accept its token/)
})

test('nothing is measured at a process that cannot look at tokens', async () => {
  const { door, asked, signOuts } = startPair(503)
  await asked
  await signOuts.stop()
  expect([signOuts.all, door.problems]).toEqual([[], []])
})
