import { once } from 'node:events'
import { Worker as Thread } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { type DrawnPage, drawPdf } from './draw-pdf.ts'

/** A thread that draws one page of what it is sent, and then does not come back. */
const endless = `
  const { parentPort } = require('node:worker_threads')
  parentPort.on('message', (bytes) => {
    parentPort.postMessage({ kind: 'page', page: { number: 1, total: 2, picture: null, text: String(bytes.length) } })
    for (;;);
  })
  parentPort.postMessage({ kind: 'ready' })`

function startThread() {
  const thread = new Thread(endless, { eval: true })
  const worker = {
    onerror: null,
    onmessage: null as ((event: MessageEvent) => void) | null,
    postMessage: (message: unknown) => thread.postMessage(message),
    terminate: () => void thread.terminate(),
  }
  thread.on('message', (data) => worker.onmessage?.({ data } as MessageEvent))
  return { thread, worker }
}

test.each(['limit', 'visit'] as const)(
  'a PDF that never ends is ended by the %s, with its thread',
  async (ended) => {
    const { thread, worker } = startThread()
    const hasEnded = once(thread, 'exit')
    const [limit, visit] = [new AbortController(), new AbortController()]
    const pages: DrawnPage[] = []
    const drawing = drawPdf(new Uint8Array(7), {
      signal: visit.signal,
      onPage(page) {
        pages.push(page)
        if (ended === 'limit') limit.abort()
        else visit.abort(new Error('nobody looks'))
      },
      startWorker: () => worker,
      startLimit: () => limit.signal,
    })
    await expect(drawing).rejects.toThrow(ended === 'limit' ? 'The PDF took too long.' : 'nobody looks')
    await hasEnded
    expect(pages.map(({ text }) => text)).toEqual(['7'])
  },
)
