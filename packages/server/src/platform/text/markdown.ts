/** What strangers wrote, as one line of Markdown that is nothing but text. */
export const lineOf = (text: string): string =>
  text.replaceAll(/\s+/g, ' ').replaceAll(/[\\`*_[\]<>#|]/g, '\\$&')

/** The same as a quotation, so that it is not taken for ours. */
export const quoted = (text: string): string =>
  text
    .split(/\r\n|\r|\n/)
    .map((line) => `> ${line}`.trimEnd())
    .join('\n')
