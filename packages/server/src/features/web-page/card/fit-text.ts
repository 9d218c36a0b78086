import { drawable, type FontWeight, NO_GLYPH, widthOf } from '../../../platform/text/fonts.ts'

export interface Room {
  width: number
  size: number
  lines: number
  weight: FontWeight
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
const lettersOf = (text: string): string[] => Array.from(graphemes.segment(text), ({ segment }) => segment)

/**
 * The text without signs that the font lacks; undefined where it lacks a letter or a digit, because the rest would be
 * another name.
 */
export function readableOf(text: string): string | undefined {
  const characters = Array.from(text.normalize('NFC'), (character) => ({
    drawn: drawable(character),
    isLetter: /[\p{L}\p{N}]/u.test(character),
  }))
  if (characters.some(({ drawn, isLetter }) => isLetter && drawn === NO_GLYPH)) return undefined
  const line = characters
    .map(({ drawn }) => (drawn === NO_GLYPH ? '' : drawn))
    .join('')
    // No language puts more marks on a letter. They would reach into other lines.
    .replace(/(\p{M}{2})\p{M}+/gu, '$1')
    .replace(/ +/g, ' ')
    .trim()
  return line === '' ? undefined : line
}

/** The lines of a text in the first of the rooms that takes all of it, or in the last with an ellipsis. */
export function fit(text: string, rooms: readonly [Room, ...Room[]]): { lines: string[]; room: Room } {
  for (const room of rooms) {
    const lines = wrap(text, room)
    if (lines.length <= room.lines) return { lines, room }
  }
  const room = rooms.at(-1) ?? rooms[0]
  const lines = wrap(text, room).slice(0, room.lines)
  const last = lettersOf(lines.pop() ?? '')
  const ended = () => `${last.join('').trimEnd()}…`
  while (last.length > 0 && !fits(ended(), room)) last.pop()
  return { lines: [...lines, ended()], room }
}

const fits = (text: string, { width, size, weight }: Room): boolean => widthOf(text, weight, size) <= width

/** Between words, and inside of words that are longer than a line. */
function wrap(text: string, room: Room): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (fits(longer, room)) {
      line = longer
      continue
    }
    if (line !== '') lines.push(line)
    line = ''
    for (const letter of lettersOf(word)) {
      if (line !== '' && !fits(line + letter, room)) {
        lines.push(line)
        line = ''
      }
      line += letter
    }
  }
  return [...lines, line]
}
