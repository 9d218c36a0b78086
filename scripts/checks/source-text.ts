const comment = /\/\*[\s\S]*?\*\/|\/\/.*/y
const quoted = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/y
const pattern = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\//y
const templateText = /(?:\\[\s\S]|\$(?!\{)|[^`\\$])*(?:`|\$\{)?/y
/** What comes before a pattern and never before a division. */
const beforePattern = /(?:^|[=(,:[!&|?{};>]|\breturn)\s*$/

/**
 * The code of a file without comments, the text of templates, strings and patterns; what a template inserts is code. The
 * strings between quotes are returned beside it.
 */
export function readCode(text: string): { code: string; strings: string[] } {
  const code: string[] = []
  const strings: string[] = []
  /** For each template that is open: how many braces are open in what it inserts. */
  const templates: number[] = []
  let at = 0
  const skip = (token: RegExp): boolean => {
    token.lastIndex = at
    const found = token.exec(text)
    if (found === null) return false
    at = token.lastIndex
    return true
  }
  const skipTemplateText = (): void => {
    skip(templateText)
    if (text.startsWith('${', at - 2)) templates.push(0)
  }
  while (at < text.length) {
    const start = at
    const char = text.charAt(at)
    if (char === '/' && skip(comment)) continue
    if (char === '/' && beforePattern.test(code.slice(-40).join('')) && skip(pattern)) {
      code.push('0')
      continue
    }
    if ((char === "'" || char === '"') && skip(quoted)) {
      strings.push(text.slice(start + 1, at - 1))
      code.push('0')
      continue
    }
    at = start + 1
    const open = templates.at(-1)
    if (char === '`') skipTemplateText()
    else if (char === '}' && open === 0) {
      templates.pop()
      code.push(' ')
      skipTemplateText()
    } else {
      if (open !== undefined && char === '{') templates[templates.length - 1] = open + 1
      if (open !== undefined && char === '}') templates[templates.length - 1] = open - 1
      code.push(char)
    }
  }
  return { code: code.join(''), strings }
}
