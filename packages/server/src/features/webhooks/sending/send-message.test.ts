import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { isReachable } from '../../../platform/outbound/public-address.ts'
import {
  type Receiver,
  respondWith,
  silence,
  startReceiver,
} from '../../../testing/processes/start-receiver.ts'
import { createSender } from './send-message.ts'

let receiver: Receiver
beforeAll(async () => {
  receiver = await startReceiver()
})
afterAll(() => receiver.close())
beforeEach(() => {
  receiver.received.length = 0
  receiver.respondWith(respondWith(204))
})

const message = (url: string) => ({ url, headers: { 'webhook-id': 'evt_1' }, body: '{}' })

describe('addresses', () => {
  const closed = [
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '10.255.255.255',
    '100.64.0.1',
    '100.127.255.255',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.8',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.7',
    '203.0.113.9',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
    '::ffff:8.8.8.8',
    '::ffff:a9fe:a9fe',
    '::127.0.0.1',
    '64:ff9b::a00:1',
    '64:ff9b:1::1',
    '100::1',
    '2001::1',
    '2001:10::1',
    '2001:db8::1',
    '2002:7f00:1::1',
    '3fff::1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fec0::1',
    'ff02::1',
    'not an address',
    '',
  ]
  test.each(closed)('%s is not reachable', (address) => {
    expect(isReachable(address, { allowsLocal: false })).toBe(false)
  })

  test.each(['1.1.1.1', '8.8.8.8', '100.63.255.255', '172.32.0.1', '2606:4700:4700::1111', '2a00:1450::1'])(
    '%s is',
    (address) => {
      expect(isReachable(address, { allowsLocal: false })).toBe(true)
    },
  )

  test('the sandbox adds loopback and nothing else', () => {
    const opened = closed.filter((address) => isReachable(address, { allowsLocal: true }))
    expect(opened).toEqual(['127.0.0.1', '127.255.255.254', '::1'])
  })
})

describe('in production', () => {
  const send = createSender({
    allowsLocal: false,
    resolve: async (hostname) => {
      if (hostname === 'mixed.example') return ['93.184.216.34', '10.0.0.1']
      if (hostname === 'six.example') return ['fd00:ec2::254']
      if (hostname === 'empty.example') return []
      return ['127.0.0.1']
    },
  })
  test.each([
    'https://127.0.0.1',
    'https://2130706433',
    'https://0x7f.1',
    'https://017700000001',
    'https://[::1]',
    'https://[::ffff:127.0.0.1]',
    'https://[fd00:ec2::254]',
    'https://169.254.169.254',
    'https://localhost',
    'https://inside.example',
    'https://mixed.example',
    'https://six.example',
    'https://empty.example',
  ])('%s is refused before any connection', async (host) => {
    expect(await send(message(`${host}:${receiver.port}/`))).toEqual({
      kind: 'failure',
      why: 'The host is a private or local address.',
    })
    expect(receiver.received).toEqual([])
  })

  test('http is refused', async () => {
    expect(await send(message(receiver.url))).toEqual({ kind: 'failure', why: 'Only https is allowed.' })
  })
})

test('connects to the address that was checked, whatever the name resolves to later', async () => {
  const asked: string[] = []
  const send = createSender({
    allowsLocal: true,
    resolve: async (hostname) => {
      asked.push(hostname)
      return asked.length === 1 ? ['127.0.0.1'] : ['10.0.0.1']
    },
  })
  // No resolver of this machine knows the name: the connection could not be made if it were asked again.
  const url = `http://rebinding.invalid:${receiver.port}/hook`
  expect(await send(message(url))).toMatchObject({ kind: 'response', status: 204 })
  expect(asked).toEqual(['rebinding.invalid'])
  expect(receiver.received[0]?.headers.host).toBe(`rebinding.invalid:${receiver.port}`)
  expect(await send(message(url))).toMatchObject({ kind: 'failure' })
  expect(receiver.received).toHaveLength(1)
})

test('a host with several addresses is reached by the one that responds', async () => {
  const send = createSender({ allowsLocal: true, resolve: async () => ['::1', '127.0.0.1'] })
  const url = `http://both.invalid:${receiver.port}/hook`
  expect(await send(message(url))).toMatchObject({ kind: 'response', status: 204 })
})

describe('a response', () => {
  // The receiver of the test stands for one on the public internet.
  const settings = { allowsLocal: true, isQuotable: () => true }
  const send = createSender(settings)
  const sendBriefly = createSender({ ...settings, timeoutMs: 1000 })

  test('of a service on this machine is not shown, whatever its name', async () => {
    receiver.respondWith(respondWith(500, 'an inside matter'))
    const resolve = async () => ['127.0.0.1']
    const plain = createSender({ allowsLocal: true, resolve })
    for (const host of ['127.0.0.1', 'localhost', 'looks-public.example']) {
      const result = await plain(message(`http://${host}:${receiver.port}/`))
      expect(result).toEqual({ kind: 'response', status: 500, excerpt: '' })
    }
  })

  test('that redirects is not followed', async () => {
    receiver.respondWith(respondWith(302, 'over there', { location: receiver.url }))
    expect(await send(message(receiver.url))).toEqual({
      kind: 'response',
      status: 302,
      excerpt: 'over there',
    })
    expect(receiver.received).toHaveLength(1)
  })

  test('of success is not read', async () => {
    receiver.respondWith(respondWith(200, 'x'.repeat(1_000_000)))
    expect(await send(message(receiver.url))).toEqual({ kind: 'response', status: 200, excerpt: '' })
  })

  test('of failure leaves a short excerpt, however long it is', async () => {
    receiver.respondWith((_request, response) => {
      response.writeHead(500)
      const more = (): void => {
        while (response.writable && response.write('x'.repeat(65_536)));
        if (response.writable) response.once('drain', more)
      }
      more()
    })
    expect(await send(message(receiver.url))).toEqual({
      kind: 'response',
      status: 500,
      excerpt: 'x'.repeat(200),
    })
  })

  test('that stops in the middle counts by its status', async () => {
    receiver.respondWith((_request, response) => void response.writeHead(500).write('first part'))
    expect(await sendBriefly(message(receiver.url))).toEqual({
      kind: 'response',
      status: 500,
      excerpt: 'first part',
    })
  })

  test('that never comes ends with the time limit', async () => {
    receiver.respondWith(silence)
    expect(await sendBriefly(message(receiver.url))).toEqual({
      kind: 'failure',
      why: 'No response within 1 s.',
    })
  })

  test('that switches to another protocol is a failure, and does not keep the sender waiting', async () => {
    receiver.respondWith(
      ({ socket }) =>
        void socket.write(
          'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n',
        ),
    )
    expect(await send(message(receiver.url))).toEqual({ kind: 'failure', why: 'The connection failed.' })
  })

  test('that is cut off is a failure', async () => {
    receiver.respondWith((request) => void request.socket.destroy())
    expect(await send(message(receiver.url))).toEqual({
      kind: 'failure',
      why: 'The connection was cut off.',
    })
  })
})

test('a name that is never resolved ends with the time limit', async () => {
  const send = createSender({ allowsLocal: true, timeoutMs: 50, resolve: () => new Promise(() => undefined) })
  expect(await send(message('http://slow.invalid/'))).toEqual({
    kind: 'failure',
    why: 'No response within 0.05 s.',
  })
})

test('nobody listening, and a name that is not there, are said in words', async () => {
  const gone = await startReceiver()
  await gone.close()
  const send = createSender({ allowsLocal: true })
  expect(await send(message(gone.url))).toEqual({ kind: 'failure', why: 'The connection was refused.' })
  expect(await send(message('http://nowhere.invalid/'))).toEqual({
    kind: 'failure',
    why: 'The host name does not resolve.',
  })
})
