import type { MarkdownTree } from './markdown-tree.ts'

/** Usual texts take a few milliseconds; some are written so that they take minutes. */
const LONGEST_MS = 5_000
/** Texts that took too long, so that they are not tried at each visit. */
const tooLong = new Set<string>()

let idle: Worker | undefined
let last: Promise<unknown> = Promise.resolve()

/**
 * Reads Markdown in a thread of its own, one text after the other: a stranger's text must not keep anybody from using the
 * page. Undefined for what is shown as it was written.
 */
export function readMarkdown(text: string): Promise<MarkdownTree | undefined> {
  const read = last.then(() => (tooLong.has(text) ? undefined : readInWorker(text)))
  last = read
  return read
}

async function readInWorker(text: string): Promise<MarkdownTree | undefined> {
  const worker = idle ?? (await startWorker())
  idle = undefined
  if (!worker) return undefined
  worker.postMessage(text)
  const timer = AbortSignal.timeout(LONGEST_MS)
  const reply = await nextMessage<MarkdownTree | undefined>(worker, timer)
  if (reply) {
    idle = worker
    return reply.data
  }
  worker.terminate()
  tooLong.add(text)
  return undefined
}

/** Undefined where its code cannot be loaded. */
async function startWorker(): Promise<Worker | undefined> {
  const worker = new Worker(new URL('./markdown-worker.ts', import.meta.url), { type: 'module' })
  return (await nextMessage(worker)) && worker
}

/** Undefined when it fails, or when the time is up. */
function nextMessage<Data>(worker: Worker, timer?: AbortSignal): Promise<MessageEvent<Data> | undefined> {
  return new Promise((resolve) => {
    worker.onmessage = resolve
    worker.onerror = () => resolve(undefined)
    timer?.addEventListener('abort', () => resolve(undefined))
  })
}
