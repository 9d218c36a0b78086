/** A page of a PDF as a picture, with its words. */
export interface DrawnPage {
  number: number
  /** How many pages the file has. */
  total: number
  picture: ImageBitmap
  text: string
}

export type PdfNews = { kind: 'ready' | 'drawn' | 'failed' } | { kind: 'page'; page: DrawnPage }

/** Usual files take a second; some are written so that they never end. */
const LONGEST_MS = 60_000

interface Drawing {
  /** Ends when nobody looks any more. */
  signal: AbortSignal
  onPage: (page: DrawnPage) => void
  startWorker?: () => Pick<Worker, 'onerror' | 'onmessage' | 'postMessage' | 'terminate'>
  /** Begins when the thread does. */
  startLimit?: () => AbortSignal
}

/**
 * Draws the first pages of a PDF that somebody else wrote, one after the other, in a thread of its own: no file can keep
 * anybody from using the page. Rejects what cannot be read, and what takes too long.
 */
export async function drawPdf(
  bytes: Uint8Array,
  {
    signal,
    onPage,
    startWorker = startPdfWorker,
    startLimit = () => AbortSignal.timeout(LONGEST_MS),
  }: Drawing,
): Promise<void> {
  const worker = startWorker()
  try {
    await new Promise<void>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason))
      worker.onerror = () => reject(new Error('The PDF could not be drawn.'))
      worker.onmessage = ({ data: news }: MessageEvent<PdfNews>) => {
        if (news.kind === 'page') onPage(news.page)
        if (news.kind === 'drawn') resolve()
        if (news.kind === 'failed') reject(new Error('The PDF cannot be read.'))
        if (news.kind !== 'ready') return
        worker.postMessage(bytes)
        startLimit().addEventListener('abort', () => reject(new Error('The PDF took too long.')))
      }
    })
  } finally {
    worker.terminate()
  }
}

const startPdfWorker = (): Worker =>
  new Worker(new URL('./pdf-worker.ts', import.meta.url), { type: 'module' })
