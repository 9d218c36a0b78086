import dns from 'node:dns'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createTestHttp } from '../../testing/test-http.ts'
import { listen } from './listen.ts'

test('a name with several addresses has one server, which is judged and drained', async () => {
  const addressesOf = (name: string) => (name === 'localhost' ? ['127.0.0.1', '127.0.0.2'] : [name])
  const ofName = vi.spyOn(dns, 'lookup') as unknown as ReturnType<typeof vi.fn>
  onTestFinished(() => ofName.mockRestore())
  ofName.mockImplementation((name, _options, done) => {
    const found = addressesOf(name).map((address) => ({ address, family: 4 }))
    done(null, found)
  })
  const { app, close } = await createTestHttp([])
  await listen(app, { host: 'localhost', port: 0 })
  expect(app.addresses()).toMatchObject([{ address: '127.0.0.1' }])
  await close()
})
