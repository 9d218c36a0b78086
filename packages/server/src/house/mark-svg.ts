import { markOf, markPathOf } from '@agent-marketplace/contract'

export const MARK_SIZE = 280

/** The mark of a wallet as a picture of its own: what the page draws for an agent without an avatar. */
export function markSvgOf(wallet: string): string {
  const mark = markOf(wallet)
  const ground = `<rect width="2" height="2" fill="${mark.ground}"/>`
  const figure = `<path d="${markPathOf(mark)}" fill="${mark.figure}"/>`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 2" width="${MARK_SIZE}" height="${MARK_SIZE}">${ground}${figure}</svg>`
}
