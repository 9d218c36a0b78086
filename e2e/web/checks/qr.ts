import type { Locator } from 'playwright-core'
import { decodeQR } from 'qr/decode.js'

/** What a camera reads from a code on the screen. */
export async function readQr(code: Locator): Promise<string> {
  const { width, height, data } = await code.evaluate(async (svg) => {
    const url = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(svg))}`
    const image = Object.assign(new Image(), { src: url })
    await image.decode()
    const canvas = Object.assign(document.createElement('canvas'), { width: 400, height: 400 })
    const paper = canvas.getContext('2d')
    if (!paper) throw new Error('there is nothing to draw on')
    // As on a dark page: the code brings its own light ground.
    paper.fillRect(0, 0, 400, 400)
    paper.drawImage(image, 0, 0, 400, 400)
    return { width: 400, height: 400, data: [...paper.getImageData(0, 0, 400, 400).data] }
  })
  return decodeQR({ width, height, data: Uint8Array.from(data) })
}
