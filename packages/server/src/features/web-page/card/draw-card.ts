import { widthOf } from '../../../platform/text/fonts.ts'
import { escapeHtml } from '../../../platform/text/html.ts'
import { SITE } from '../head.ts'
import { CARD_SIZE, type Card, type Fact } from './card.ts'
import { fit, type Room, readableOf } from './fit-text.ts'

const ink = {
  ground: '#fbfaf7',
  strong: '#1a1917',
  muted: '#57544d',
  line: '#e5e2da',
  accent: '#2a43bc',
  soft: '#e9edfc',
}
const MARGIN = 72
const INNER_WIDTH = CARD_SIZE.width - 2 * MARGIN
const FACE_SIZE = 200
const NAME_LEFT = MARGIN + FACE_SIZE + 48
const NAME_WIDTH = CARD_SIZE.width - MARGIN - NAME_LEFT
const NAME_TOP = 160
const LINE_TOP = 446

const bold = (width: number, size: number, lines = 1): Room => ({ width, size, lines, weight: 'bold' })

/** The card as an SVG. What strangers wrote is in it as text alone. */
export function drawCard({ name, walletAddress, category, mark, facts }: Card): string {
  const { width, height } = CARD_SIZE
  const title = readableOf(name) ?? `Agent ${walletAddress.slice(0, 6)}…${walletAddress.slice(-4)}`
  const { lines, room } = fit(title, [bold(NAME_WIDTH, 72), bold(NAME_WIDTH, 56, 2), bold(NAME_WIDTH, 44, 3)])
  const pitch = room.size * 1.2
  const column = INNER_WIDTH / facts.length
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="DejaVu Sans">`,
    `<clipPath id="inner"><rect x="${MARGIN}" width="${INNER_WIDTH}" height="${height}"/></clipPath>`,
    `<clipPath id="face"><rect width="${mark.size}" height="${mark.size}" rx="40"/></clipPath>`,
    `<rect width="${width}" height="${height}" fill="${ink.ground}"/>`,
    `<rect width="${width}" height="12" fill="${ink.accent}"/>`,
    text(SITE, { x: MARGIN, y: 96, size: 30, weight: 'bold', fill: ink.muted }),
    `<g transform="translate(${MARGIN} ${NAME_TOP}) scale(${FACE_SIZE / mark.size})" clip-path="url(#face)">${mark.svg}</g>`,
    '<g clip-path="url(#inner)">',
    ...lines.map((line, at) =>
      text(line, { ...room, x: NAME_LEFT, y: NAME_TOP + room.size * 0.9 + at * pitch, fill: ink.strong }),
    ),
    drawCategory(readableOf(category), NAME_TOP + lines.length * pitch + 16),
    `<rect x="${MARGIN}" y="${LINE_TOP}" width="${INNER_WIDTH}" height="2" fill="${ink.line}"/>`,
    ...facts.map((fact, at) => drawFact(fact, MARGIN + column * at, column - 24)),
    '</g></svg>',
  ].join('')
}

function drawCategory(category: string | undefined, top: number): string {
  if (category === undefined) return ''
  const [padding, size] = [24, 28]
  const room: Room = { width: NAME_WIDTH - 2 * padding, size, lines: 1, weight: 'regular' }
  const {
    lines: [line = ''],
  } = fit(category, [room])
  const width = widthOf(line, room.weight, size) + 2 * padding
  return (
    `<rect x="${NAME_LEFT}" y="${top}" width="${width}" height="50" rx="25" fill="${ink.soft}"/>` +
    text(line, { ...room, x: NAME_LEFT + padding, y: top + 35, fill: ink.accent })
  )
}

function drawFact({ label, value }: Fact, x: number, width: number): string {
  const {
    lines: [line = ''],
    room,
  } = fit(value, [bold(width, 40), bold(width, 32), bold(width, 24), bold(width, 18)])
  return (
    text(label, { x, y: LINE_TOP + 56, size: 24, weight: 'regular', fill: ink.muted }) +
    text(line, { ...room, x, y: LINE_TOP + 112, fill: ink.strong })
  )
}

interface Pen extends Pick<Room, 'size' | 'weight'> {
  x: number
  y: number
  fill: string
}

const text = (words: string, { x, y, size, weight, fill }: Pen): string =>
  `<text x="${x}" y="${y}" font-size="${size}" font-weight="${weight === 'bold' ? 700 : 400}" fill="${fill}">${escapeHtml(words)}</text>`
