import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { create, type Font } from 'fontkit'

const pathOf = (file: string): string =>
  createRequire(import.meta.url).resolve(`dejavu-fonts-ttf/ttf/${file}.ttf`)

/**
 * DejaVu Sans: Latin, Greek, Cyrillic, Armenian, Georgian, Hebrew and Arabic letters in one file. Chinese, Japanese and Korean
 * would need fonts of several megabytes each.
 */
export const fontFiles = {
  regular: readFileSync(pathOf('DejaVuSans')),
  bold: readFileSync(pathOf('DejaVuSans-Bold')),
}

export type FontWeight = keyof typeof fontFiles

const fonts: Record<FontWeight, Font> = { regular: read('regular'), bold: read('bold') }

function read(weight: FontWeight): Font {
  const font = create(fontFiles[weight])
  if (!('hasGlyphForCodePoint' in font)) throw new TypeError('the font is a collection')
  return font
}

/** What stands for a character that the font cannot draw. */
export const NO_GLYPH = '\uFFFD'

/** The text with a visible mark in place of each character that would otherwise be an empty box, or nothing. */
export function drawable(text: string): string {
  return Array.from(text.normalize('NFC'), (character) => {
    if (/\s/u.test(character)) return ' '
    const isControl = /[\p{Cc}\p{Cf}]/u.test(character)
    const codePoint = character.codePointAt(0) ?? 0
    const isDrawable =
      !isControl && Object.values(fonts).every((font) => font.hasGlyphForCodePoint(codePoint))
    return isDrawable ? character : NO_GLYPH
  }).join('')
}

/** How wide the text is, letter by letter: where letters join, it is a little less. */
export function widthOf(text: string, weight: FontWeight, size: number): number {
  const { [weight]: font } = fonts
  const units = Array.from(text, (letter) => font.glyphForCodePoint(letter.codePointAt(0) ?? 0).advanceWidth)
  return (units.reduce((sum, unit) => sum + unit, 0) * size) / font.unitsPerEm
}
