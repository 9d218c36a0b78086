import { markOf } from '@agent-marketplace/contract'

/** The mark of a wallet as a picture of its own: what the page draws for an agent without an avatar. */
export function markSvgOf(wallet: string): string {
  const { hue, cells } = markOf(wallet)
  const filled = cells.flatMap((isFilled, index) =>
    isFilled
      ? [`<rect x="${1 + (index % 5)}" y="${1 + Math.floor(index / 5)}" width="1.02" height="1.02"/>`]
      : [],
  )
  const ground = `<rect width="7" height="7" fill="hsl(${hue} 40% 92%)"/>`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 7 7" width="280" height="280">${ground}<g fill="hsl(${hue} 40% 32%)">${filled.join('')}</g></svg>`
}
