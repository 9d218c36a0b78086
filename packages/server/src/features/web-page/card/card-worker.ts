import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { parentPort } from 'node:worker_threads'
import { fontFiles } from '../../../platform/text/fonts.ts'
import type { Card } from './card.ts'
import { drawCard } from './draw-card.ts'

/** What is used of the renderer. */
interface Renderer {
  initWasm: (code: Uint8Array) => Promise<void>
  Resvg: new (
    svg: string,
    options: { font: { fontBuffers: Uint8Array[]; loadSystemFonts: false; defaultFontFamily: string } },
  ) => Drawing
}

interface Drawing {
  render: () => { asPng: () => Uint8Array; free: () => void }
  free: () => void
}

const require = createRequire(import.meta.url)
const { initWasm, Resvg } = require('@resvg/resvg-wasm') as Renderer
const ready = initWasm(readFileSync(require.resolve('@resvg/resvg-wasm/index_bg.wasm')))
const font = {
  fontBuffers: Object.values(fontFiles),
  loadSystemFonts: false,
  defaultFontFamily: 'DejaVu Sans',
} as const

parentPort?.on('message', async (card: Card) => {
  await ready
  const drawing = new Resvg(drawCard(card), { font })
  const picture = drawing.render()
  parentPort?.postMessage(picture.asPng())
  picture.free()
  drawing.free()
})
