/** Controls and marks that turn the direction of text: in names and results they could rewrite what a terminal shows. */
const unprintable =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** Text of others, fit for a screen: line breaks and tabs stay. */
export function printable(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(unprintable, '\ufffd')
}

/** The same on one line, and no longer than this. */
export function oneLine(text: string, maxLength = 60): string {
  const line = printable(text).replaceAll(/\s+/g, ' ').trim()
  const characters = [...line]
  return characters.length <= maxLength ? line : `${characters.slice(0, maxLength - 1).join('')}…`
}

/** JSON in which nothing reaches the terminal as a control; the values are the same when it is read. */
export function printableJson(value: unknown): string {
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  const text = JSON.stringify(value, undefined, 2)
  return text.replace(unprintable, escaped)
}
