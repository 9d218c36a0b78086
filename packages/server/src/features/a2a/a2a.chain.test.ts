import {
  type Message,
  type SendMessageRequest,
  type StreamResponse,
  type Task,
  type TaskPushNotificationConfig,
  TaskState,
} from '@a2a-js/sdk'
import type { Client } from '@a2a-js/sdk/client'
import {
  ContentTypeNotSupportedError,
  PushNotificationNotSupportedError,
  RequestMalformedError,
  TaskNotCancelableError,
  TaskNotFoundError,
  UnsupportedOperationError,
} from '@a2a-js/sdk/errors'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { startReceiver } from '../../testing/processes/start-receiver.ts'
import { newWallet } from '../../testing/sign-in.ts'
import { respondJson, startConnections } from '../connections/testing/start-connections.ts'
import { X402_EXTENSION } from './tasks/x402.ts'
import { connect, dataPart, pay, paymentOf, request, type Transport, textPart } from './testing/speak.ts'

/** Agents are hired over A2A by the official client, with a wallet that nobody has heard of. */

const SCORING = 'cscoring00000000000000001'
const SINGING = 'csinging00000000000000001'
const LARGE = 'clarge0000000000000000001'
const PRICE = 2_500_000n

let world: Awaited<ReturnType<typeof startConnections>>
let url: string
beforeAll(async () => {
  world = await startConnections()
  url = await world.http.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => world.close())
beforeEach(() => world.program.respondWith(respondJson(200, { output: { matched: 1204 } })))

const outputSchema = { type: 'object', properties: { matched: { type: 'integer' } }, required: ['matched'] }
const inputSchema = { type: 'object', properties: { month: { type: 'string' } }, required: ['month'] }

async function newAgent(terms: object = { [SCORING]: { outputSchema } }, ids = [SCORING]) {
  const small = ids.map((id) => ({ id, priceMicro: PRICE.toString(), deliveryHours: 24 }))
  const services = [...small, { id: LARGE, priceMicro: '100000000', deliveryHours: 24 }]
  const connected = await world.newConnectedAgent({ services })
  await world.db.run(sql`
    update agents set service_terms = ${sql.json(terms)}::json, skills = '{Books}' where id = ${connected.agent.id}`)
  return { ...connected, card: `/api/agents/${connected.agent.wallet}/agent-card.json` }
}

async function newPayer(micro = 10n * PRICE) {
  const wallet = newWallet()
  await world.give(wallet.address, micro)
  return wallet
}

const speakTo = (card: string, more: { transport?: Transport; headers?: Record<string, string> } = {}) =>
  connect(world, { url, card, ...more })

/** Engine and worker go round until the call has its response. */
async function serve<T>(call: PromiseLike<T>): Promise<T> {
  let isDone = false
  const done = Promise.resolve(call).finally(() => {
    isDone = true
  })
  done.catch(() => undefined)
  while (!isDone) {
    await world.engine.runOnce()
    await world.work()
  }
  return done
}

const balanceOf = (address: string) => world.chain.usdc.balanceOf(address)
const sendTask = async (client: Client, ...given: Parameters<typeof request>): Promise<Task> => {
  const result = await client.sendMessage(request(...given))
  if ('messageId' in result) throw new Error('a message came in place of a task')
  return result
}
const stateIn = ({ status }: Task) => TaskState[status?.state ?? 0]
const textIn = (message: Message | undefined) =>
  message?.parts.map(({ content }) => (content?.$case === 'text' ? content.value : '')).join('')
const tokenIn = ({ metadata }: Task) => ({ authorization: `Bearer ${metadata?.token}` })

describe('cards', () => {
  test('name the transports that respond, have an ETag, and no service that a message cannot order', async () => {
    const { agent, card } = await newAgent()
    const response = await world.http.inject(card)
    const here = `http://localhost:4000/api/agents/${agent.wallet}/a2a`
    expect(response.json()).toMatchObject({
      protocolVersion: '0.3.0',
      url: here,
      preferredTransport: 'JSONRPC',
      supportedInterfaces: [
        { url: here, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
        { url: here, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
        { url: here, protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
      ],
      capabilities: { streaming: true, pushNotifications: true, extendedAgentCard: false },
    })
    const words = { scheme: 'bearer', description: expect.stringContaining('push notifications need one') }
    expect(response.json().securitySchemes).toEqual({
      bearer: { type: 'http', ...words, httpAuthSecurityScheme: words },
    })
    expect(response.json()).not.toHaveProperty('security')
    expect(response.json().capabilities.extensions[0]).toMatchObject({ uri: X402_EXTENSION, required: false })
    expect(response.json().skills.map(({ id }: { id: string }) => id)).toEqual(['books', SCORING])
    expect(response.headers['cache-control']).toBe('public, max-age=60')
    const again = await world.http.inject({
      url: card,
      headers: { 'if-none-match': String(response.headers.etag) },
    })
    expect([again.statusCode, again.body]).toEqual([304, ''])

    const market = await world.http.inject('/.well-known/agent-card.json')
    expect(market.headers).toMatchObject({ etag: expect.any(String), 'cache-control': 'no-cache' })
    expect(market.json()).not.toHaveProperty('url')
    expect(market.json().supportedInterfaces[0].url).toBe('http://localhost:4000/api/a2a')
  })

  test('the marketplace finds agents, and hires the one that is named', async () => {
    const { agent, card } = await newAgent()
    const client = await speakTo('/.well-known/agent-card.json')
    const found = await client.sendMessage(request([textPart('Reconcile my books')]))
    if (!('messageId' in found)) throw new Error('a task came in place of a message')
    const [, data] = found.parts
    expect(data?.content?.value.agents).toContainEqual(
      expect.objectContaining({ agent: agent.wallet, card: `http://localhost:4000${card}` }),
    )
    const task = await sendTask(client, [textPart('Do October.')], {
      metadata: { agent: agent.wallet, serviceId: SCORING },
    })
    expect(paymentOf(task)['x402.payment.status']).toBe('payment-required')
  })
})

describe.each<Transport>(['JSONRPC', 'HTTP+JSON'])('over %s', (transport) => {
  test('an agent is found, asks for payment, is paid once, and delivers', async () => {
    const { agent, card } = await newAgent()
    const payer = await newPayer(2n * PRICE)
    const client = await speakTo(card, { transport })
    const asked = await sendTask(client, [textPart('Reconcile October.')])
    expect(stateIn(asked)).toBe('TASK_STATE_INPUT_REQUIRED')
    expect(paymentOf(asked)).toMatchObject({
      'x402.payment.status': 'payment-required',
      'x402.payment.required': {
        x402Version: 2,
        accepts: [{ amount: PRICE.toString(), payTo: agent.wallet }],
      },
    })

    const payment = {
      taskId: asked.id,
      messageId: `pay-${asked.id}`,
      metadata: await pay(world, payer, asked),
    }
    const done = await serve(sendTask(client, [textPart('Here it is.')], payment))
    expect([done.id, done.contextId, stateIn(done)]).toEqual([
      asked.id,
      asked.contextId,
      'TASK_STATE_COMPLETED',
    ])
    expect(done.artifacts.map(({ parts }) => parts[0]?.content)).toEqual([
      { $case: 'data', value: { matched: 1204 } },
    ])
    expect(paymentOf(done)).toMatchObject({
      'x402.payment.status': 'payment-completed',
      'x402.payment.receipts': [{ success: true, payer: payer.address, network: 'eip155:31337' }],
    })

    const again = await sendTask(client, [textPart('Here it is.')], payment)
    expect([again.id, again.artifacts]).toEqual([done.id, done.artifacts])
    const anew = { ...payment, metadata: await pay(world, payer, asked) }
    expect((await sendTask(client, [textPart('Here it is.')], anew)).artifacts).toEqual(done.artifacts)
    expect([await balanceOf(payer.address), await balanceOf(agent.wallet)]).toEqual([PRICE, PRICE])
    expect(await world.breaches()).toEqual([])
  })

  test('a task is read by its token and by its payer, and by nobody else', async () => {
    const { card } = await newAgent()
    const payer = await newPayer(2n * PRICE)
    const client = await speakTo(card, { transport })
    const asked = await sendTask(client, [textPart('Reconcile October.')])
    const passing = await sendTask(client, [textPart('What is it?')], { taskId: asked.id })
    expect([stateIn(passing), passing.metadata?.token]).toEqual(['TASK_STATE_INPUT_REQUIRED', undefined])
    const bare = { taskId: asked.id, metadata: await pay(world, payer, asked, { isBare: true }) }
    const done = await serve(sendTask(client, [textPart('Paid.')], bare))
    expect(stateIn(done)).toBe('TASK_STATE_COMPLETED')

    const stranger = await world.newOwner()
    const strange = await speakTo(card, { transport, headers: stranger.headers })
    for (const other of [client, strange]) {
      await expect(other.getTask({ tenant: '', id: done.id })).rejects.toThrow(TaskNotFoundError)
      await expect(other.cancelTask({ tenant: '', id: done.id, metadata: undefined })).rejects.toThrow(
        TaskNotFoundError,
      )
      await expect(sendTask(other, [textPart('Show me.')], { taskId: done.id })).rejects.toThrow(
        TaskNotFoundError,
      )
    }
    // All of this can be read on chain.
    const replayed = await sendTask(strange, [textPart('Paid.')], bare)
    expect([stateIn(replayed), replayed.artifacts, replayed.metadata]).toEqual([
      'TASK_STATE_COMPLETED',
      [],
      undefined,
    ])

    const theirs = await sendTask(client, [textPart('Reconcile October.')])
    const stolen = await sendTask(client, [textPart('Paid.')], { ...bare, taskId: theirs.id })
    expect([stolen.artifacts, stolen.metadata?.token]).toEqual([[], undefined])
    const thief = await speakTo(card, { transport, headers: tokenIn(theirs) })
    expect(stateIn(await thief.getTask({ tenant: '', id: theirs.id }))).toBe('TASK_STATE_INPUT_REQUIRED')

    const holder = await speakTo(card, { transport, headers: tokenIn(asked) })
    expect((await holder.getTask({ tenant: '', id: done.id })).artifacts).toEqual(done.artifacts)
    const buyer = await world.newOwner({ wallet: payer })
    const own = await speakTo(card, { transport, headers: buyer.headers })
    expect((await own.getTask({ tenant: '', id: done.id, historyLength: 0 })).artifacts).toEqual(
      done.artifacts,
    )
    const list = { tenant: '', contextId: '', status: 0, pageToken: '', statusTimestampAfter: undefined }
    expect((await own.listTasks({ ...list, includeArtifacts: true })).tasks).toEqual([
      expect.objectContaining({ id: done.id, artifacts: done.artifacts }),
    ])
    expect((await strange.listTasks(list)).tasks).toEqual([])
    await expect(own.cancelTask({ tenant: '', id: done.id, metadata: undefined })).rejects.toThrow(
      TaskNotCancelableError,
    )
  })

  test('a stream has the reports, the question and the delivery', async () => {
    const { card, seller } = await newAgent({})
    world.program.respondWith(respondJson(202, {}))
    const payer = await newPayer(PRICE)
    const client = await speakTo(card, { transport })
    const asked = await sendTask(client, [textPart('Sing.')])
    const jobs: string[] = []
    const seen: string[] = []
    const follow = async (
      stream: AsyncGenerator<StreamResponse>,
      onEvent: (index: number) => Promise<unknown>,
    ) => {
      let last: StreamResponse['payload']
      let index = 0
      for await (const { payload } of stream) {
        last = payload
        seen.push(payload?.$case ?? '')
        if (payload?.$case === 'task') jobs.push(payload.value.metadata?.jobId)
        await onEvent(index)
        index += 1
      }
      return last
    }
    const ask = (verb: string, payload: object) => world.send(seller, `/api/jobs/${jobs[0]}/${verb}`, payload)
    const submitted = request([textPart('Paid.')], {
      taskId: asked.id,
      metadata: await pay(world, payer, asked),
    })
    const asks = await serve(
      follow(client.sendMessageStream(submitted), async (index) => {
        if (index === 0) expect((await ask('progress', { step: 'Tuning', percent: 10 })).statusCode).toBe(201)
        if (index === 1) expect((await ask('messages', { text: 'Which key?' })).statusCode).toBe(201)
      }),
    )
    expect(seen).toEqual(['task', 'statusUpdate', 'statusUpdate'])
    const status = asks?.$case === 'statusUpdate' ? asks.value.status : undefined
    expect(status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED)
    expect(textIn(status?.message)).toBe('Which key?')

    const holder = await speakTo(card, { transport, headers: tokenIn(asked) })
    const reply = { taskId: asked.id, messageId: 'in-c', returnImmediately: true }
    await sendTask(holder, [textPart('In C.')], reply)
    expect(stateIn(await sendTask(holder, [textPart('In C.')], reply))).toBe('TASK_STATE_WORKING')
    const messages = (await world.get(seller, `/api/jobs/${jobs[0]}/messages`)).json().data
    expect(messages.map(({ text }: { text: string }) => text)).toEqual(['Which key?', 'In C.'])

    seen.length = 0
    const uploaded = await world.http.inject({
      method: 'PUT',
      url: `/api/jobs/${jobs[0]}/uploads/song.txt`,
      headers: { ...seller.headers, 'content-type': 'text/plain' },
      payload: 'La la la.',
    })
    const delivered = { content: 'Here it is.', files: [uploaded.json().data.id] }
    await serve(
      follow(holder.resubscribeTask({ tenant: '', id: asked.id }), async (index) => {
        if (index === 0) expect((await ask('deliver', delivered)).statusCode).toBe(200)
      }),
    )
    expect(seen).toEqual(['task', 'artifactUpdate', 'statusUpdate'])
    const { artifacts, history } = await holder.getTask({ tenant: '', id: asked.id })
    const [text, file] = artifacts[0]?.parts ?? []
    expect(text?.content).toEqual({ $case: 'text', value: 'Here it is.' })
    expect([file?.filename, file?.mediaType]).toEqual(['song.txt', 'text/plain'])
    const opened = await world.http.inject(String(file?.content?.value).replace('http://localhost:4000', ''))
    expect([opened.statusCode, opened.body]).toEqual([200, 'La la la.'])
    expect(history.map(textIn)).toEqual(['Tuning (10 %)', 'Which key?', 'In C.'])
  })
})

describe('what is missing is requested', () => {
  test('the service, where there are several, then an input that fits it', async () => {
    const { card } = await newAgent({ [SCORING]: { inputSchema } }, [SCORING, SINGING])
    const client = await speakTo(card)
    const which = await sendTask(client, [textPart('Do October.')])
    expect(stateIn(which)).toBe('TASK_STATE_INPUT_REQUIRED')
    expect(textIn(which.status?.message)).toContain(`1. ${SCORING} (${SCORING}): 2.50 USDC`)
    const { contextId } = which
    // Its id alone changes nothing, and ends nothing.
    for (const metadata of [undefined, { 'x402.payment.status': 'payment-rejected' }])
      await expect(sendTask(client, [textPart('2')], { taskId: which.id, metadata })).rejects.toThrow(
        'contextId',
      )
    const wrong = await sendTask(client, [textPart('1')], { taskId: which.id, contextId })
    expect(textIn(wrong.status?.message)).toContain('/month')
    const holder = await speakTo(card, { headers: tokenIn(which) })
    const asked = await sendTask(holder, [dataPart({ month: '2026-10' })], { taskId: which.id })
    expect([asked.id, paymentOf(asked)['x402.payment.status']]).toEqual([which.id, 'payment-required'])
    // What was offered stays as it is.
    await sendTask(client, [dataPart({ month: '2026-11' })], { taskId: which.id })
    const stored = await world.db.one(sql`select input, service_id from a2a_tasks where id = ${which.id}`)
    expect(stored).toEqual({ input: { month: '2026-10' }, serviceId: SCORING })
    const direct = await sendTask(client, [dataPart({ serviceId: SINGING, input: { task: 'Sing.' } })])
    expect(paymentOf(direct)['x402.payment.status']).toBe('payment-required')
  })

  test('errors have their codes', async () => {
    const { card, agent } = await newAgent()
    const client = await speakTo(card)
    const file = {
      content: { $case: 'url' as const, value: 'https://a.example' },
      metadata: undefined,
      filename: '',
      mediaType: '',
    }
    await expect(sendTask(client, [file])).rejects.toThrow(ContentTypeNotSupportedError)
    await expect(sendTask(client, [])).rejects.toThrow(RequestMalformedError)
    await expect(client.getTask({ tenant: '', id: 'cnone' })).rejects.toThrow(TaskNotFoundError)
    await world.db.run(sql`update agents set x402_enabled = false where id = ${agent.id}`)
    await expect(sendTask(client, [textPart('Hi.')])).rejects.toThrow(UnsupportedOperationError)
    const call = (version: string, payload: object, path = `/api/agents/${agent.wallet}/a2a`) =>
      world.http.inject({ method: 'POST', url: path, headers: { 'a2a-version': version }, payload })
    const rpc = { jsonrpc: '2.0', id: 7, method: 'GetTask', params: { id: 'x' } }
    expect((await call('2.0', rpc)).json()).toMatchObject({ id: 7, error: { code: -32009 } })
    expect((await call('1.0', rpc)).json()).toMatchObject({ id: 7, error: { code: -32001 } })
    expect((await call('1.0', { ...rpc, method: 'Dance' })).json()).toMatchObject({ error: { code: -32601 } })
    expect((await call('', {}, '/api/a2a/message:send')).json()).toMatchObject({
      error: { code: 400, details: [expect.objectContaining({ reason: 'VERSION_NOT_SUPPORTED' })] },
    })
    const bearer = { authorization: 'Bearer nonsense' }
    const refused = await world.http.inject({
      method: 'POST',
      url: '/api/a2a',
      headers: bearer,
      payload: rpc,
    })
    expect(refused.statusCode).toBe(401)
  })
})

describe('payments', () => {
  test('that fail say why, and can be made again', async () => {
    const { agent, card } = await newAgent()
    const payer = await newPayer(1n)
    const client = await speakTo(card)
    const asked = await sendTask(client, [textPart('Reconcile October.')])
    const metadata = await pay(world, payer, asked)
    const poor = await sendTask(client, [textPart('Paid.')], { taskId: asked.id, metadata })
    expect(stateIn(poor)).toBe('TASK_STATE_INPUT_REQUIRED')
    expect(paymentOf(poor)).toMatchObject({
      'x402.payment.status': 'payment-failed',
      'x402.payment.error': 'INSUFFICIENT_FUNDS',
      'x402.payment.receipts': [{ success: false }],
    })
    await world.give(payer.address, PRICE)
    const done = await serve(sendTask(client, [textPart('Paid.')], { taskId: asked.id, metadata }))
    expect(stateIn(done)).toBe('TASK_STATE_COMPLETED')
    const other = await sendTask(client, [textPart('Reconcile November.')])
    const reused = await sendTask(client, [textPart('Paid.')], { taskId: other.id, metadata })
    expect(paymentOf(reused)).toMatchObject({ 'x402.payment.error': 'DUPLICATE_NONCE' })
    expect([await balanceOf(payer.address), await balanceOf(agent.wallet)]).toEqual([1n, PRICE])
  })

  test('of one task that come at the same time are one, and an identifier is one purchase over tasks', async () => {
    const { agent, card } = await newAgent()
    const payer = await newPayer(5n * PRICE)
    const client = await speakTo(card)
    const id = `purchase_${newWallet().address}`
    const asked = await sendTask(client, [textPart('Reconcile October.')])
    const payments = await Promise.all([pay(world, payer, asked, { id }), pay(world, payer, asked)])
    const tasks = await serve(
      Promise.all(
        payments.map((metadata) => sendTask(client, [textPart('Paid.')], { taskId: asked.id, metadata })),
      ),
    )
    expect(tasks.map(stateIn)).toEqual(['TASK_STATE_COMPLETED', 'TASK_STATE_COMPLETED'])
    expect(await balanceOf(payer.address)).toBe(4n * PRICE)

    const first = await sendTask(client, [textPart('Reconcile May.')])
    const may = { taskId: first.id, metadata: await pay(world, payer, first, { id: `${id}_may` }) }
    const done = await serve(sendTask(client, [textPart('Paid.')], may))
    const second = await sendTask(client, [textPart('Reconcile May.')])
    const again = { taskId: second.id, metadata: await pay(world, payer, second, { id: `${id}_may` }) }
    const repeated = await serve(sendTask(client, [textPart('Paid.')], again))
    expect([repeated.id, repeated.artifacts]).toEqual([second.id, done.artifacts])
    expect([await balanceOf(payer.address), await balanceOf(agent.wallet)]).toEqual([3n * PRICE, 2n * PRICE])
    expect(await world.breaches()).toEqual([])
  })

  test('a message of an account makes one task, and what it does not pay for it can cancel', async () => {
    const { card } = await newAgent()
    const buyer = await world.newOwner()
    const client = await speakTo(card, { headers: buyer.headers })
    const same = { messageId: 'october' }
    const [one, two] = [
      await sendTask(client, [textPart('Reconcile October.')], same),
      await sendTask(client, [textPart('Reconcile October.')], same),
    ]
    expect(two.id).toBe(one.id)
    const stranger = await speakTo(card)
    await expect(
      sendTask(stranger, [textPart('Paid.')], {
        taskId: one.id,
        metadata: await pay(world, newWallet(), one),
      }),
    ).rejects.toThrow(TaskNotFoundError)
    expect(stateIn(await client.cancelTask({ tenant: '', id: one.id, metadata: undefined }))).toBe(
      'TASK_STATE_CANCELED',
    )
    expect(stateIn(await client.getTask({ tenant: '', id: one.id }))).toBe('TASK_STATE_CANCELED')
    const rejected = await sendTask(client, [textPart('Reconcile May.')])
    const no = { taskId: rejected.id, metadata: { 'x402.payment.status': 'payment-rejected' } }
    expect(stateIn(await sendTask(client, [textPart('No.')], no))).toBe('TASK_STATE_CANCELED')
  })
})

test('an API key hires within its scopes and its budget alone', async () => {
  const { agent, card } = await newAgent()
  const owner = await world.newOwner()
  const payer = await newPayer(2n * PRICE)
  const clientOf = async (payload: object) => {
    const { headers } = owner
    const made = await world.http.inject({ method: 'POST', url: '/api/api-keys', headers, payload })
    return speakTo(card, { headers: { authorization: `Bearer ${made.json().data.key}` } })
  }
  const task = [textPart('Reconcile October.')]
  const reader = await clientOf({ name: 'Reads', scopes: ['read'] })
  await expect(sendTask(reader, task)).rejects.toThrow(UnsupportedOperationError)

  const thrifty = await clientOf({
    name: 'Thrifty',
    scopes: ['read', 'hire'],
    budget: { total: PRICE.toString() },
  })
  const [first, second] = [await sendTask(thrifty, task), await sendTask(thrifty, task)]
  const payment = { taskId: first.id, metadata: await pay(world, payer, first) }
  const done = await serve(sendTask(thrifty, [textPart('Paid.')], payment))
  expect([stateIn(done), done.metadata?.token]).toEqual(['TASK_STATE_COMPLETED', undefined])
  await expect(sendTask(thrifty, [textPart('Reconcile May.')])).rejects.toThrow(
    'may spend at most 2.50 USDC in all',
  )
  const list = { tenant: '', contextId: '', status: 0, pageToken: '', statusTimestampAfter: undefined }
  const { tasks } = await thrifty.listTasks(list)
  expect(tasks.map(({ id }) => id).toSorted()).toEqual([first.id, second.id].toSorted())
  // A page has what is wanted, and not what is left of one with everything.
  const completed = await thrifty.listTasks({
    ...list,
    pageSize: 1,
    status: TaskState.TASK_STATE_COMPLETED,
  })
  expect([completed.tasks.map(({ id }) => id), completed.nextPageToken, completed.totalSize]).toEqual([
    [first.id],
    '',
    1,
  ])
  const waiting = await thrifty.listTasks({ ...list, status: TaskState.TASK_STATE_INPUT_REQUIRED })
  expect(waiting.tasks.map(({ id }) => id)).toEqual([second.id])
  expect((await thrifty.listTasks({ ...list, status: TaskState.TASK_STATE_FAILED })).tasks).toEqual([])
  const soon = new Date(world.clock.now().getTime() + 365 * 86_400_000).toISOString()
  expect(await thrifty.listTasks({ ...list, pageSize: 1, statusTimestampAfter: soon })).toMatchObject({
    tasks: [],
    nextPageToken: '',
    totalSize: 2,
  })
  const [newest] = (await thrifty.listTasks({ ...list, pageSize: 1 })).tasks
  expect(newest?.id).toBe(tasks[0]?.id)
  for (const query of [
    'pageSize=1.5',
    'pageSize=many',
    'historyLength=-1',
    'contextId=%00',
    `contextId=${'x'.repeat(201)}`,
    'statusTimestampAfter=soon',
  ]) {
    const response = await world.http.inject({
      url: `/api/a2a/tasks?${query}`,
      headers: { ...owner.headers, 'a2a-version': '1.0' },
    })
    expect([query, response.statusCode]).toEqual([query, 400])
  }
  const hirer = await clientOf({ name: 'Hires', scopes: ['hire'] })
  await expect(hirer.getTask({ tenant: '', id: first.id })).rejects.toThrow(UnsupportedOperationError)
  expect([await balanceOf(payer.address), await balanceOf(agent.wallet)]).toEqual([PRICE, PRICE])
})

test('tasks that nobody pays for are bounded, and those of guests end soon', async () => {
  const { agent, card } = await newAgent()
  const { headers, ownerId } = await world.newOwner()
  const [guest, owner] = [await speakTo(card), await speakTo(card, { headers })]
  const task = [textPart('Reconcile October.')]
  const kept = async ({ id }: Task) =>
    world.db.one(sql`
      select extract(epoch from expires_at - created_at)::integer as seconds, caller from a2a_tasks where id = ${id}`)
  const hash = expect.stringMatching(/^[\w-]{43}$/)
  expect(await kept(await sendTask(guest, task))).toEqual({ seconds: 3600, caller: hash })
  const first = await sendTask(owner, task)
  expect(await kept(first)).toEqual({ seconds: 86_400, caller: ownerId })
  await world.db.run(sql`
    insert into a2a_tasks (id, context_id, agent_wallet, owner_id, message_id, caller, text, created_at, expires_at)
    select 'full-' || n, 'c', ${agent.wallet.toLowerCase()}, ${ownerId}, 'm-' || n, ${ownerId}, '', now(),
      ${new Date(world.wallClock.now().getTime() + 1_000)}
    from generate_series(1, 99) n`)
  await expect(sendTask(owner, task)).rejects.toThrow('wait to be paid for')
  await owner.cancelTask({ tenant: '', id: first.id, metadata: undefined })
  expect(stateIn(await sendTask(owner, task))).toBe('TASK_STATE_INPUT_REQUIRED')
  await expect(sendTask(owner, task)).rejects.toThrow('wait to be paid for')
  world.wallClock.advance(2)
  expect(stateIn(await sendTask(owner, task))).toBe('TASK_STATE_INPUT_REQUIRED')
})

test('a client of version 0.3 hires too', async () => {
  const { agent, card } = await newAgent()
  const payer = await newPayer(PRICE)
  const client = await connect(world, { url, card, legacy: true })
  const asked = await sendTask(client, [textPart('Reconcile October.')])
  const payment = { taskId: asked.id, metadata: await pay(world, payer, asked) }
  const done = await serve(sendTask(client, [textPart('Paid.')], payment))
  expect(stateIn(done)).toBe('TASK_STATE_COMPLETED')
  expect(done.artifacts[0]?.parts[0]?.content).toEqual({ $case: 'data', value: { matched: 1204 } })
  expect(await balanceOf(agent.wallet)).toBe(PRICE)
})

describe('push notifications', () => {
  let receiver: Awaited<ReturnType<typeof startReceiver>>
  beforeEach(async () => {
    receiver = await startReceiver()
    return () => receiver.close()
  })

  const configFor = (taskId = '', more: Partial<TaskPushNotificationConfig> = {}) => ({
    tenant: '',
    id: '',
    taskId,
    url: receiver.url,
    token: '',
    authentication: undefined,
    ...more,
  })

  /** Engine and worker go round until one like this has arrived. */
  async function notified(isIt: (task: Notified) => boolean): Promise<{ task: Notified; headers: object }> {
    for (;;) {
      const all = receiver.received.map(({ body, headers }) => ({ headers, body: JSON.parse(body) }))
      const found = all.find(({ body }) => isIt(body.task ?? body))
      if (found) return { headers: found.headers, task: found.body.task ?? found.body }
      await world.engine.runOnce()
      await world.work()
    }
  }
  interface Notified {
    kind?: string
    status: { state: string; message?: { parts: { text?: string }[] } }
  }
  const isIn = (state: string) => (task: Notified) => task.status.state === state

  /** A task of an account, paid for, whose agent is at work. */
  async function newTask({ pushed = false, transport }: { pushed?: boolean; transport?: Transport } = {}) {
    world.program.respondWith(respondJson(202, {}))
    const { card, seller } = await newAgent({})
    const payer = await newPayer(PRICE)
    const buyer = await world.newOwner({ wallet: payer })
    const client = await speakTo(card, { headers: buyer.headers, ...(transport && { transport }) })
    const token = { token: 'known to both', authentication: { scheme: 'Bearer', credentials: 'let-me-in' } }
    const first = request([textPart('Sing.')])
    const asked = (await client.sendMessage({
      ...first,
      ...(pushed &&
        first.configuration && {
          configuration: { ...first.configuration, taskPushNotificationConfig: configFor('', token) },
        }),
    })) as Task
    const metadata = await pay(world, payer, asked)
    const payment = { taskId: asked.id, metadata, returnImmediately: true }
    let task = await serve(sendTask(client, [textPart('Paid.')], payment))
    while (stateIn(task) !== 'TASK_STATE_WORKING') {
      await world.engine.runOnce()
      task = await client.getTask({ tenant: '', id: task.id })
    }
    const jobId = String(task.metadata?.jobId)
    const act = async (verb: string, payload: object) => {
      const response = await world.send(seller, `/api/jobs/${jobId}/${verb}`, payload)
      expect(response.statusCode, response.body).toBeLessThan(300)
    }
    return { card, client, task, act }
  }

  const fillConfigsOf = (ownerId: string) =>
    world.db.run(sql`
      with receivers as (
        insert into webhooks (id, owner_id, url, events, description, sealed_secret, is_direct, created_at)
        select 'full-' || n, ${ownerId}, 'http://localhost:9/', '{}', '', '', true, now()
        from generate_series(1, 100) n returning id)
      insert into a2a_push_configs (receiver_id, task_id, owner_id, name, scheme, wire_version, created_at)
      select id, id, ${ownerId}, id, '', '1.0', now() from receivers`)

  const storedFor = ({ id }: Task) =>
    world.db.rows(sql`
      select w.id, w.sealed_secret from a2a_push_configs c join webhooks w on w.id = c.receiver_id
      where c.task_id = ${id}`)

  test.each<Transport>(['JSONRPC', 'HTTP+JSON'])(
    'over %s: that came with a message are sent until the task has ended',
    async (transport) => {
      const { client, task, act } = await newTask({ pushed: true, transport })
      const working = await notified(isIn('TASK_STATE_WORKING'))
      expect(working.headers).toMatchObject({
        'content-type': 'application/a2a+json',
        'x-a2a-notification-token': 'known to both',
        authorization: 'Bearer let-me-in',
        'webhook-id': expect.stringMatching(/^evt_/),
      })
      expect(working.task).toMatchObject({ id: task.id })
      expect(JSON.stringify(working.task)).not.toContain('jot_')
      const [stored] = await storedFor(task)
      expect(JSON.stringify(stored)).not.toMatch(/known|let-me-in/)
      const { configs } = await client.listTaskPushNotificationConfig({
        tenant: '',
        taskId: task.id,
        pageSize: 0,
        pageToken: '',
      })
      const shown = { id: task.id, taskId: task.id, url: receiver.url, token: '' }
      expect(configs).toEqual([
        { tenant: '', ...shown, authentication: { scheme: 'Bearer', credentials: '' } },
      ])

      await act('progress', { step: 'Tuning', percent: 10 })
      await notified(({ status }) => status.message?.parts[0]?.text === 'Tuning (10 %)')
      await act('deliver', { content: 'La la la.' })
      const completed = await notified(isIn('TASK_STATE_COMPLETED'))
      expect(completed.task).toMatchObject({
        artifacts: [{ parts: [{ text: 'La la la.' }] }],
      })
      expect(await storedFor(task)).toEqual([])
      await expect(client.createTaskPushNotificationConfig(configFor(task.id))).rejects.toThrow(
        UnsupportedOperationError,
      )
    },
  )

  test.each<Transport>(['JSONRPC', 'HTTP+JSON'])(
    'over %s: are added, read and deleted by those who may read the task',
    async (transport) => {
      const { card, client, task, act } = await newTask({ transport })
      const named = configFor(task.id, { id: 'mine', token: 'secret' })
      expect(await client.createTaskPushNotificationConfig(named)).toEqual(named)
      await notified(isIn('TASK_STATE_WORKING'))
      const name = { tenant: '', taskId: task.id, id: 'mine' }
      expect(await client.getTaskPushNotificationConfig(name)).toEqual({ ...named, token: '' })

      const stranger = await speakTo(card, { transport, headers: (await world.newOwner()).headers })
      await expect(stranger.createTaskPushNotificationConfig(configFor(task.id))).rejects.toThrow(
        TaskNotFoundError,
      )
      await expect(stranger.getTaskPushNotificationConfig(name)).rejects.toThrow(TaskNotFoundError)
      await expect(stranger.deleteTaskPushNotificationConfig(name)).rejects.toThrow(TaskNotFoundError)
      const holder = await speakTo(card, { transport, headers: tokenIn(task) })
      await expect(holder.createTaskPushNotificationConfig(configFor(task.id))).rejects.toThrow(
        PushNotificationNotSupportedError,
      )

      await client.deleteTaskPushNotificationConfig(name)
      await expect(client.getTaskPushNotificationConfig(name)).rejects.toThrow(TaskNotFoundError)
      await act('progress', { step: 'Tuning', percent: 10 })
      await world.work()
      expect(receiver.received).toHaveLength(1)
    },
  )

  test('go to no private address, carry no broken headers, and are bounded', async () => {
    const { card, client, task } = await newTask()
    for (const wrong of [
      { url: 'http://10.0.0.8/hook' },
      { url: 'http://169.254.169.254/latest' },
      { url: 'ftp://example.com' },
      { url: `${receiver.url}?${'x'.repeat(2_048)}` },
      { token: 'two\r\nlines' },
      { id: 'no spaces' },
      { authentication: { scheme: 'Bearer: x', credentials: 'y' } },
    ])
      await expect(client.createTaskPushNotificationConfig(configFor(task.id, wrong))).rejects.toThrow(
        RequestMalformedError,
      )
    // Nothing is ordered with a message that carries a wrong one.
    const order = request([textPart('Sing.')])
    const wrong = configFor('', { url: 'http://10.0.0.8/hook' })
    const ordered = client.sendMessage({
      ...order,
      configuration: { acceptedOutputModes: [], returnImmediately: false, taskPushNotificationConfig: wrong },
    })
    await expect(ordered).rejects.toThrow(RequestMalformedError)
    const sent = await world.db.rows(
      sql`select id from a2a_tasks where message_id = ${order.message?.messageId ?? ''}`,
    )
    expect(sent).toEqual([])

    for (const id of ['a', 'b', 'c', 'd', 'e', 'a'])
      await client.createTaskPushNotificationConfig(configFor(task.id, { id }))
    await expect(client.createTaskPushNotificationConfig(configFor(task.id, { id: 'f' }))).rejects.toThrow(
      UnsupportedOperationError,
    )
    expect(await storedFor(task)).toHaveLength(5)

    const legacy = await connect(world, { url, card, legacy: true })
    await expect(legacy.createTaskPushNotificationConfig(configFor(task.id))).rejects.toThrow()
  })

  test('an order that carries one is refused without room, and its repetition is the same task all the same', async () => {
    world.program.respondWith(respondJson(202, {}))
    const { card, agent } = await newAgent({})
    const payer = await newPayer(PRICE * 2n)
    const { headers, ownerId } = await world.newOwner({ wallet: payer })
    const client = await speakTo(card, { headers })
    const config = configFor()
    const pushed = (given: SendMessageRequest): SendMessageRequest => ({
      ...given,
      configuration: {
        acceptedOutputModes: [],
        returnImmediately: true,
        taskPushNotificationConfig: config,
      },
    })
    const begun = pushed(request([textPart('Sing.')]))
    const asked = (await client.sendMessage(begun)) as Task
    const second = await sendTask(client, [textPart('Hum.')])
    const paid = pushed(
      request([textPart('Paid.')], { taskId: asked.id, metadata: await pay(world, payer, asked) }),
    )
    const ordered = (await serve(client.sendMessage(paid))) as Task
    await client.deleteTaskPushNotificationConfig({ tenant: '', taskId: asked.id, id: '' })
    await fillConfigsOf(ownerId)

    expect(((await serve(client.sendMessage(paid))) as Task).id).toBe(ordered.id)
    expect(((await serve(client.sendMessage(begun))) as Task).id).toBe(ordered.id)
    const other = await pay(world, payer, second)
    const refused = client.sendMessage(
      pushed(request([textPart('Paid.')], { taskId: second.id, metadata: other })),
    )
    await expect(serve(refused)).rejects.toThrow('100 push notification configurations at most')
    await expect(client.sendMessage(pushed(request([textPart('Whistle.')])))).rejects.toThrow('at most')
    await world.runUntilIdle()
    expect(await balanceOf(agent.wallet)).toBe(PRICE)
    expect(stateIn(await client.getTask({ tenant: '', id: second.id }))).toBe('TASK_STATE_INPUT_REQUIRED')
  })

  test('are set up only so fast, so that nobody tries credentials with them', async () => {
    const { http } = await world.startBeside({ environment: { RATE_LIMITS: 'on' }, ports: () => ({}) })
    const strict = await http.listen({ port: 0, host: '127.0.0.1' })
    const { card } = await newAgent()
    const { headers } = await world.newOwner()
    const client = await connect(world, { url: strict, card, headers })
    const asked = await sendTask(client, [textPart('Reconcile October.')])
    const tryOne = (credentials: string) =>
      client.createTaskPushNotificationConfig(
        configFor(asked.id, { authentication: { scheme: 'Basic', credentials } }),
      )
    for (let guess = 0; guess < 20; guess += 1) await tryOne(`guess-${guess}`)
    await expect(tryOne('guess-20')).rejects.toThrow('at most 20 push notification configurations a minute')
    world.wallClock.advance(60)
    await tryOne('guess-21')
  })

  test('end with the API key that set them up, and carry no token to whom it does not belong', async () => {
    world.program.respondWith(respondJson(202, {}))
    const { card, seller } = await newAgent({})
    const owner = await world.newOwner()
    const made = await world.send(owner, '/api/api-keys', { name: 'Agent', scopes: ['read', 'hire'] })
    const { id: keyId, key } = made.json().data
    const client = await speakTo(card, { headers: { authorization: `Bearer ${key}` } })
    // Another wallet pays, as an agent's does, so that the job is of another account.
    const payer = await newPayer(PRICE)
    const asked = await sendTask(client, [textPart('Sing.')])
    const payment = { taskId: asked.id, metadata: await pay(world, payer, asked), returnImmediately: true }
    let task = await serve(sendTask(client, [textPart('Paid.')], payment))
    while (stateIn(task) !== 'TASK_STATE_WORKING') {
      await world.engine.runOnce()
      task = await client.getTask({ tenant: '', id: task.id })
    }
    const jobId = String(task.metadata?.jobId)
    const uploaded = await world.http.inject({
      method: 'PUT',
      url: `/api/jobs/${jobId}/uploads/song.txt`,
      headers: { ...seller.headers, 'content-type': 'text/plain' },
      payload: 'La la la.',
    })
    const session = await speakTo(card, { headers: owner.headers })
    await session.createTaskPushNotificationConfig(
      configFor(task.id, { id: 'by-the-session', token: 'stays' }),
    )
    await client.createTaskPushNotificationConfig(configFor(task.id, { id: 'by-the-key', token: 'ends' }))
    await notified(isIn('TASK_STATE_WORKING'))
    const revoked = await world.http.inject({
      method: 'DELETE',
      url: `/api/api-keys/${keyId}`,
      headers: owner.headers,
    })
    expect(revoked.statusCode).toBe(200)
    const delivered = { content: 'Here it is.', files: [uploaded.json().data.id] }
    expect((await world.send(seller, `/api/jobs/${jobId}/deliver`, delivered)).statusCode).toBe(200)
    const completed = await notified(isIn('TASK_STATE_COMPLETED'))
    expect(completed.headers).toMatchObject({ 'x-a2a-notification-token': 'stays' })
    expect(JSON.stringify(completed.task)).toContain('song.txt')
    expect(JSON.stringify(receiver.received)).not.toContain('jot_')
    await world.work()
    expect(await storedFor(task)).toEqual([])
    const ended = receiver.received.filter(
      ({ headers, body }) => headers['x-a2a-notification-token'] === 'ends' && body.includes('song.txt'),
    )
    expect(ended).toEqual([])
  })

  test('of version 0.3 have its form, and one that is withdrawn unpaid is cancelled', async () => {
    const { card } = await newAgent()
    const { headers } = await world.newOwner()
    const client = await connect(world, { url, card, legacy: true, headers })
    const asked = await sendTask(client, [textPart('Reconcile October.')])
    await client.createTaskPushNotificationConfig(configFor(asked.id, { token: 'old' }))
    await client.cancelTask({ tenant: '', id: asked.id, metadata: undefined })
    const cancelled = await notified(isIn('canceled'))
    expect(cancelled.task).toMatchObject({ kind: 'task', id: asked.id })
    expect(cancelled.headers).toMatchObject({ 'x-a2a-notification-token': 'old' })
    expect(await storedFor(asked)).toEqual([])
  })
})
