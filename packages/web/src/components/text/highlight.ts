export interface Token {
  kind: 'plain' | 'comment' | 'string' | 'word'
  text: string
}

const words: Record<string, string> = {
  ts: 'as|async|await|break|catch|const|else|export|for|from|function|if|import|let|new|of|return|throw|try|type|while',
  py: 'any|as|class|def|else|except|False|for|from|if|import|in|lambda|None|not|return|True|try|while|with',
  sh: 'curl|do|done|echo|export|for|if|kill|node|python3|set|sh|then|wait|while',
}
const comments: Record<string, string> = { ts: '\\/\\/[^\\n]*', py: '#[^\\n]*', sh: '(?<=^|\\s)#[^\\n]*' }

/** Enough to distinguish words, texts and comments; a library for it would be larger than the documentation. */
export function tokensOf(code: string, language: string): Token[] {
  const known = words[language]
  if (known === undefined) return [{ kind: 'plain', text: code }]
  const comment = `(?<comment>${comments[language]})`
  const string = '(?<string>"(?:\\\\.|[^"\\\\])*"|\'(?:\\\\.|[^\'\\\\])*\'|`(?:\\\\.|[^`\\\\])*`)'
  const pattern = new RegExp(`${comment}|${string}|(?<word>(?<![\\w./-])(?:${known})(?![\\w./-]))`, 'gm')
  const tokens: Token[] = []
  let end = 0
  for (const match of code.matchAll(pattern)) {
    if (match.index > end) tokens.push({ kind: 'plain', text: code.slice(end, match.index) })
    const { comment: isComment, string: isString } = match.groups ?? {}
    tokens.push({ kind: isComment ? 'comment' : isString ? 'string' : 'word', text: match[0] })
    end = match.index + match[0].length
  }
  if (end < code.length) tokens.push({ kind: 'plain', text: code.slice(end) })
  return tokens
}
