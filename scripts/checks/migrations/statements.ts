/** Comments, texts, bodies in `$$` and quoted names, whichever begins first. */
const quoted = /--[^\n]*|\/\*.*?\*\/|\be'(?:[^'\\]|\\.|'')*'|'(?:[^']|'')*'|\$(\w*)\$.*?\$\1\$|"([^"]*)"/gis

/** The statements of a migration in lower case: each text is empty, and comments are gone. */
export function statementsIn(text: string): string[] {
  return text
    .replaceAll(quoted, (found, _tag, name) => name ?? (/^(?:--|\/\*)/.test(found) ? ' ' : "''"))
    .toLowerCase()
    .split(';')
    .map((statement) => statement.replaceAll(/\s+/g, ' ').trim())
    .filter((statement) => statement !== '')
}

/** A statement without what is in its parentheses, so that its own words and commas are left. */
export function outlineOf(statement: string): string {
  const inner = /\((?:[^()]|\(\))+\)/g
  const shorter = statement.replaceAll(inner, '()')
  return shorter === statement ? statement : outlineOf(shorter)
}
