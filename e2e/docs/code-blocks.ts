/** A block of code in a guide. */
export interface CodeBlock {
  language: string
  /** What follows the language in the fence. */
  info: string
  code: string
}

/** What becomes of a block: it is written to a file, run, looked for in what was printed, or read as settings of a client. */
export type BlockUse =
  | { kind: 'file'; name: string; code: string }
  | { kind: 'command'; code: string }
  | { kind: 'output'; lines: string[] }
  | { kind: 'settings'; code: string }

export function codeBlocksOf(markdown: string): CodeBlock[] {
  const fence = /^```(\S+)[ \t]*(.*)\n([\s\S]*?)^```$/gm
  return [...markdown.matchAll(fence)].map(([, language = '', info = '', code = '']) => ({
    language,
    info,
    code,
  }))
}

/** Undefined for a block that nothing here can run. */
export function useOf({ language, info, code }: CodeBlock): BlockUse | undefined {
  const [, name] = /^file=(\S+)$/.exec(info) ?? []
  if (name !== undefined && ['ts', 'py', 'sh'].includes(language)) return { kind: 'file', name, code }
  if (info === 'client' && language === 'json') return { kind: 'settings', code }
  if (info !== '') return undefined
  if (language === 'sh') return { kind: 'command', code }
  if (language === 'text') return { kind: 'output', lines: code.trimEnd().split('\n') }
  return undefined
}
