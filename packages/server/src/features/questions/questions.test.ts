import { MAX_QUESTIONS_PER_DAY } from '@agent-marketplace/contract'
import { NOTE_MAX_LENGTH } from '@agent-marketplace/contract/lengths'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { sinceNow } from '../../testing/since.ts'
import { adminWallet, startWorld, type World } from '../../testing/start-world.ts'
import type { WorldAgent, WorldOwner } from '../../testing/world/world-people.ts'

let world: World
let seller: WorldOwner
let asker: WorldOwner
let stranger: WorldOwner
let admin: WorldOwner

beforeAll(async () => {
  world = await startWorld()
  seller = await world.newOwner({ kycStatus: 'VERIFIED' })
  asker = await world.newOwner()
  stranger = await world.newOwner()
  admin = await world.newOwner({ wallet: adminWallet })
})
afterAll(() => world.close())

const send = (owner: WorldOwner | undefined, url: string, payload: object, key?: string) =>
  world.http.inject({
    method: 'POST',
    url,
    payload,
    headers: { ...owner?.headers, ...(key && { 'idempotency-key': key }) },
  })
const pathOf = ({ wallet }: { wallet: string }) => `/api/agents/${wallet}/questions`
const ask = (owner: WorldOwner | undefined, agent: { wallet: string }, text: unknown, key?: string) =>
  send(owner, pathOf(agent), { text }, key)
const reply = (owner: WorldOwner | undefined, id: string, text: unknown) =>
  send(owner, `/api/questions/${id}/reply`, { text })
const hide = (owner: WorldOwner, id: string, reason = 'It is an insult.') =>
  send(owner, `/api/admin/questions/${id}/hide`, { reason })
const list = (owner: WorldOwner | undefined, agent: { wallet: string }, query = '') =>
  world.http.inject({ url: `${pathOf(agent)}${query}`, ...(owner && { headers: owner.headers }) })
const seenBy = async (owner: WorldOwner | undefined, agent: WorldAgent): Promise<string[]> =>
  (await list(owner, agent)).json().data.map(({ text }: { text: string }) => text)
const noticesAbout = ({ wallet }: WorldAgent, ownerId: string) =>
  world.db.rows(sql`
    select type, title, message from notifications
    where owner_id = ${ownerId} and link = ${`/agents/${wallet}`} order by seq`)

async function asked(owner: WorldOwner, agent: WorldAgent, text = 'Which months?'): Promise<string> {
  const response = await ask(owner, agent, text)
  expect([response.statusCode, response.json().error]).toEqual([201, undefined])
  return response.json().data.id
}

describe('asking and replying', () => {
  test('the question is between asker and seller until the reply makes both public', async () => {
    const agent = await world.newAgent(seller)
    const text = 'Which **months**? <script>alert(1)</script>'
    const createdAt = sinceNow(world.clock)
    const response = await ask(asker, agent, ` ${text}\n`)
    const question = {
      id: expect.stringMatching(/^c[0-9a-z]{24}$/),
      text,
      own: true,
      createdAt,
      reply: null,
      repliedAt: null,
    }
    expect([response.statusCode, response.json()]).toEqual([201, { data: question }])
    expect((await list(asker, agent)).json()).toEqual({ data: [question], nextCursor: null })
    for (const privy of [seller, admin]) {
      expect((await list(privy, agent)).json().data).toEqual([{ ...question, own: false }])
    }
    for (const other of [stranger, undefined]) expect(await seenBy(other, agent)).toEqual([])
    expect(await noticesAbout(agent, seller.ownerId)).toEqual([
      { type: 'QUESTION_RECEIVED', title: 'New question', message: `Ledger Lark: ${text}` },
    ])

    const { id } = response.json().data
    const repliedAt = sinceNow(world.clock)
    const replied = await reply(seller, id, ' All of **2026**. ')
    const whole = {
      ...question,
      own: false,
      reply: 'All of **2026**.',
      repliedAt,
    }
    expect([replied.statusCode, replied.json()]).toEqual([200, { data: whole }])
    for (const other of [stranger, undefined, seller, admin]) {
      expect((await list(other, agent)).json()).toEqual({ data: [whole], nextCursor: null })
    }
    expect((await list(asker, agent)).json().data).toEqual([{ ...whole, own: true }])
    expect(await noticesAbout(agent, asker.ownerId)).toEqual([
      {
        type: 'QUESTION_REPLIED',
        title: 'The seller replied to your question',
        message: 'Ledger Lark: All of **2026**.',
      },
    ])
  })

  test('409 for a second reply, and the first one stays', async () => {
    const agent = await world.newAgent(seller)
    const id = await asked(asker, agent)
    expect((await reply(seller, id, 'All.')).statusCode).toBe(200)
    const second = await reply(seller, id, 'None.')
    expect([second.statusCode, second.json().error.code]).toEqual([409, 'CONFLICT'])
    expect((await list(undefined, agent)).json().data[0].reply).toBe('All.')
    expect(await noticesAbout(agent, asker.ownerId)).toHaveLength(1)
  })

  test('with an Idempotency-Key is asked once, and notified once', async () => {
    const agent = await world.newAgent(seller)
    const first = await ask(stranger, agent, 'Once?', 'the-same-question')
    expect((await ask(stranger, agent, 'Once?', 'the-same-question')).json()).toEqual(first.json())
    expect(await seenBy(seller, agent)).toEqual(['Once?'])
    expect(await noticesAbout(agent, seller.ownerId)).toHaveLength(1)
  })

  test('the wallet is taken in any letter case', async () => {
    const agent = await world.newAgent(seller)
    await asked(await world.newOwner(), { ...agent, wallet: agent.wallet.toLowerCase() })
    expect(await seenBy(seller, { ...agent, wallet: agent.wallet.toLowerCase() })).toEqual(['Which months?'])
  })
})

describe('limits', () => {
  test('409 for a second open question to the same agent; after the reply there is room again', async () => {
    const [agent, other] = [await world.newAgent(seller), await world.newAgent(seller)]
    const owner = await world.newOwner()
    const id = await asked(owner, agent)
    const second = await ask(owner, agent, 'And which years?')
    expect([second.statusCode, second.json().error.code]).toEqual([409, 'CONFLICT'])
    await asked(owner, other)
    await reply(seller, id, 'All.')
    await asked(owner, agent, 'And which years?')
    expect(await seenBy(owner, agent)).toEqual(['And which years?', 'Which months?'])
  })

  test('of questions at the same time to one agent, one is stored', async () => {
    const agent = await world.newAgent(seller)
    const owner = await world.newOwner()
    const responses = await Promise.all([1, 2, 3, 4].map((number) => ask(owner, agent, `Question ${number}`)))
    expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409, 409, 409])
    expect(await seenBy(seller, agent)).toHaveLength(1)
  })

  test('429 beyond so many in 24 hours, whichever agents they are about', async () => {
    const owner = await world.newOwner()
    const agents = await Promise.all(
      Array.from({ length: MAX_QUESTIONS_PER_DAY + 1 }, () => world.newAgent(seller)),
    )
    const responses = await Promise.all(agents.map((agent) => ask(owner, agent, 'Which months?')))
    const statuses = responses.map(({ statusCode }) => statusCode).sort()
    expect(statuses).toEqual([...Array.from({ length: MAX_QUESTIONS_PER_DAY }, () => 201), 429])
    const refused = responses.find(({ statusCode }) => statusCode === 429)
    expect(refused?.json().error.code).toBe('RATE_LIMIT_EXCEEDED')
    expect(refused?.json().error.details.retryAfterSeconds).toBe(24 * 3600)

    await world.db.run(sql`
      update agent_questions set created_at = created_at - interval '24 hours' where asker_id = ${owner.ownerId}`)
    await asked(owner, await world.newAgent(seller))
  })

  test.each([[undefined], [''], [' \n '], [7], ['x'.repeat(NOTE_MAX_LENGTH + 1)]])(
    '400 for the text %j',
    async (text) => {
      const agent = await world.newAgent(seller)
      const owner = await world.newOwner()
      const question = await ask(owner, agent, text)
      expect([question.statusCode, question.json().error.code]).toEqual([400, 'VALIDATION_ERROR'])
      const id = await asked(owner, agent, 'x'.repeat(NOTE_MAX_LENGTH))
      expect((await reply(seller, id, text)).statusCode).toBe(400)
      expect((await list(seller, agent)).json().data).toMatchObject([{ id, reply: null }])
    },
  )
})

describe('who may', () => {
  test('401 for nobody, 403 for the seller who asks and for all others who reply', async () => {
    const agent = await world.newAgent(seller)
    expect((await ask(undefined, agent, 'Which months?')).statusCode).toBe(401)
    const own = await ask(seller, agent, 'Am I good?')
    expect([own.statusCode, own.json().error.code]).toEqual([403, 'FORBIDDEN'])
    const id = await asked(asker, agent)
    expect((await reply(undefined, id, 'All.')).statusCode).toBe(401)
    for (const other of [asker, stranger, admin]) {
      const response = await reply(other, id, 'All.')
      expect([response.statusCode, response.json().error.code]).toEqual([403, 'FORBIDDEN'])
    }
    expect((await list(seller, agent)).json().data).toMatchObject([{ id, reply: null }])
  })

  test('403 for suspended owners, who start nothing', async () => {
    const agent = await world.newAgent(seller)
    const suspended = await world.newOwner({ accountStatus: 'SUSPENDED' })
    expect((await ask(suspended, agent, 'Which months?')).statusCode).toBe(403)
    expect(await seenBy(seller, agent)).toEqual([])
  })

  test('404 for an agent or a question that is not there', async () => {
    const nobody = { wallet: `0x${'0'.repeat(39)}1` }
    expect((await ask(asker, nobody, 'Which months?')).statusCode).toBe(404)
    expect((await list(undefined, nobody)).statusCode).toBe(404)
    expect((await reply(seller, 'cunknown', 'All.')).statusCode).toBe(404)
  })

  test.each([[{ approval: 'PENDING' }], [{ approval: 'REJECTED' }], [{ pausedBy: 'OWNER' }]])(
    '409 for an agent that is not listed: %j',
    async (state) => {
      const agent = await world.newAgent(seller, state)
      const response = await ask(asker, agent, 'Which months?')
      expect([response.statusCode, response.json().error.code]).toEqual([409, 'INVALID_STATE'])
      expect(response.json().error.details).toEqual({ status: 'UNLISTED', allowed: ['LISTED'] })
      expect(await seenBy(seller, agent)).toEqual([])
    },
  )
})

describe('pages', () => {
  test('newest first by cursor, each once; 400 for a cursor of another list', async () => {
    const [agent, other] = [await world.newAgent(seller), await world.newAgent(seller)]
    for (const text of ['One?', 'Two?', 'Three?'])
      await reply(seller, await asked(asker, agent, text), 'Yes.')
    const first = (await list(undefined, agent, '?limit=2')).json()
    expect(first.data.map(({ text }: { text: string }) => text)).toEqual(['Three?', 'Two?'])
    const second = (await list(undefined, agent, `?limit=2&cursor=${first.nextCursor}`)).json()
    expect(second).toMatchObject({ data: [{ text: 'One?' }], nextCursor: null })
    expect((await list(undefined, other, `?cursor=${first.nextCursor}`)).statusCode).toBe(400)
    expect((await list(undefined, agent, '?cursor=AAAA')).statusCode).toBe(400)
  })
})

describe('hiding', () => {
  test('nobody sees it any more, its writers are notified, and the log has the reason', async () => {
    const agent = await world.newAgent(seller)
    const owner = await world.newOwner()
    const id = await asked(owner, agent, 'Are you a thief?')
    await reply(seller, id, 'No.')
    const response = await hide(admin, id)
    expect([response.statusCode, response.json().data]).toMatchObject([200, { id, reply: 'No.' }])
    for (const viewer of [owner, seller, admin, stranger, undefined]) {
      expect(await seenBy(viewer, agent)).toEqual([])
    }
    const message = 'Ledger Lark: Are you a thief? The reason: It is an insult.'
    expect((await noticesAbout(agent, owner.ownerId)).at(-1)).toEqual({
      type: 'QUESTION_HIDDEN',
      title: 'Your question was hidden',
      message,
    })
    expect((await noticesAbout(agent, seller.ownerId)).at(-1)).toEqual({
      type: 'QUESTION_HIDDEN',
      title: 'A question was hidden',
      message,
    })
    const log = await world.http.inject({
      url: `/api/admin/audit-log?subjectId=${id}`,
      headers: admin.headers,
    })
    expect(log.json().data.entries).toMatchObject([
      {
        actorId: admin.ownerId,
        action: 'question.hidden',
        subjectType: 'question',
        details: { before: { status: 'SHOWN' }, after: { status: 'HIDDEN' }, reason: 'It is an insult.' },
      },
    ])
    const again = await hide(admin, id)
    expect([again.statusCode, again.json().error.code]).toEqual([409, 'INVALID_STATE'])
  })

  test('a hidden question takes no reply, and its asker can ask another one', async () => {
    const agent = await world.newAgent(seller)
    const owner = await world.newOwner()
    const id = await asked(owner, agent)
    await hide(admin, id)
    expect((await reply(seller, id, 'All.')).statusCode).toBe(404)
    await asked(owner, agent, 'And which years?')
    expect(await seenBy(seller, agent)).toEqual(['And which years?'])
  })

  test('403 for everybody who is no admin', async () => {
    const agent = await world.newAgent(seller)
    const owner = await world.newOwner()
    const id = await asked(owner, agent)
    for (const other of [owner, seller, stranger]) expect((await hide(other, id)).statusCode).toBe(403)
    expect(await seenBy(seller, agent)).toEqual(['Which months?'])
  })
})
