import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { create, type Font } from 'fontkit'

const pathOf = (file: string): string =>
  createRequire(import.meta.url).resolve(`dejavu-fonts-ttf/ttf/${file}.ttf`)

/**
 * DejaVu Sans: Latin, Greek, Cyrillic, Armenian, Georgian, Hebrew and Arabic letters in one file. Chinese, Japanese and Korean
 * would need fonts of several megabytes each.
 */
export const receiptFonts = {
  regular: readFileSync(pathOf('DejaVuSans')),
  bold: readFileSync(pathOf('DejaVuSans-Bold')),
}

const fonts: Font[] = Object.values(receiptFonts).map((bytes) => {
  const font = create(bytes)
  if (!('hasGlyphForCodePoint' in font)) throw new TypeError('the font is a collection')
  return font
})

/** What stands for a character that the font cannot draw. */
export const NO_GLYPH = '\uFFFD'

/** The text with a visible mark in place of each character that would otherwise be an empty box, or nothing. */
export function drawable(text: string): string {
  return Array.from(text.normalize('NFC'), (character) => {
    if (/\s/u.test(character)) return ' '
    const isControl = /[\p{Cc}\p{Cf}]/u.test(character)
    const codePoint = character.codePointAt(0) ?? 0
    const isDrawable = !isControl && fonts.every((font) => font.hasGlyphForCodePoint(codePoint))
    return isDrawable ? character : NO_GLYPH
  }).join('')
}
