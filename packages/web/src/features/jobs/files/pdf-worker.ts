import {
  AnnotationMode,
  getDocument,
  type PDFDocumentProxy,
  type PDFPageProxy,
  VerbosityLevel,
} from 'pdfjs-dist'
// Once it is loaded here, the parser runs in this thread too: ending the thread ends all of it.
import 'pdfjs-dist/build/pdf.worker.min.mjs'
import type { PdfNews } from './draw-pdf.ts'
import { CanvasFactory, FilterFactory } from './pdf-canvas.ts'

const MAX_PAGES = 10
const MAX_WIDTH_PIXELS = 1_000
const MAX_HEIGHT_PIXELS = 2_000
const MAX_IMAGE_PIXELS = 25_000_000
const MAX_TEXT_CHARACTERS = 20_000

const open = (data: Uint8Array): Promise<PDFDocumentProxy> =>
  getDocument({
    data,
    verbosity: VerbosityLevel.ERRORS,
    maxImageSize: MAX_IMAGE_PIXELS,
    // The policy of this thread allows no compiled code, and nothing is loaded.
    useWasm: false,
    CanvasFactory,
    FilterFactory,
    // There is no document; its fonts are all that is requested.
    ownerDocument: { fonts: Reflect.get(globalThis, 'fonts') } as HTMLDocument,
  }).promise

/** Only the look and the words of its pages are used: no program, no link, no form. */
async function drawPages(bytes: Uint8Array): Promise<void> {
  const file = await open(bytes)
  const total = file.numPages
  for (let number = 1; number <= Math.min(total, MAX_PAGES); number += 1) {
    const page = await file.getPage(number)
    const text = await textOf(page)
    const picture = await pictureOf(page)
    tell({ kind: 'page', page: { number, total, picture, text } }, [picture])
  }
}

async function textOf(page: PDFPageProxy): Promise<string> {
  const { items } = await page.getTextContent()
  const words = items.map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : ''))
  return words.join('').slice(0, MAX_TEXT_CHARACTERS)
}

async function pictureOf(page: PDFPageProxy): Promise<ImageBitmap> {
  const { width, height } = page.getViewport({ scale: 1 })
  const scale = Math.min(MAX_WIDTH_PIXELS / width, MAX_HEIGHT_PIXELS / height)
  const viewport = page.getViewport({ scale })
  const canvas = new OffscreenCanvas(Math.ceil(viewport.width), Math.ceil(viewport.height))
  // It draws as one of a document does.
  const context = canvas.getContext('2d', { alpha: false }) as unknown as CanvasRenderingContext2D
  const annotationMode = AnnotationMode.DISABLE
  await page.render({ canvas: null, canvasContext: context, viewport, annotationMode }).promise
  return canvas.transferToImageBitmap()
}

function tell(news: PdfNews, transfer: Transferable[] = []): void {
  postMessage(news, { transfer })
}

addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  if (!(data instanceof Uint8Array)) return
  drawPages(data).then(
    () => tell({ kind: 'drawn' }),
    () => tell({ kind: 'failed' }),
  )
})
tell({ kind: 'ready' })
