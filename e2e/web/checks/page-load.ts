import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { untilSettled } from './inspection.ts'

/** The bytes of every script that was requested until the page stood, each zipped as the service would send it. */
export async function measureScripts(page: Page, url: string): Promise<number> {
  const scripts = new Set<string>()
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.add(request.url())
  })
  await page.goto(url)
  await untilSettled(page)
  const sizes = await Promise.all([...scripts].map(zippedSize))
  return sizes.reduce((sum, bytes) => sum + bytes, 0)
}

async function zippedSize(url: string): Promise<number> {
  const response = await fetch(url)
  return gzipSync(Buffer.from(await response.arrayBuffer())).length
}
