// The syntax of a Solidity file, as the compiler reads it.

import solc from 'solc'

/** As much of the compiler's tree as branches need. */
export interface Node {
  nodeType: string
  /** `start:length:file`, in bytes. */
  src: string
  name?: string
  nameLocation?: string
  virtual?: boolean
  operator?: string
  condition?: Node | null
  leftExpression?: Node
  rightExpression?: Node
  subExpression?: Node
  components?: (Node | null)[]
  expression?: Node
  arguments?: Node[] | null
  block?: Node
  modifierName?: Node
}

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'nodeType' in value && 'src' in value

export function rangeOf(src: string): [start: number, end: number] {
  const [start = 0, length = 0] = src.split(':').map(Number)
  return [start, start + length]
}

/** Of one file alone: what it imports is not needed for its syntax. */
export function parse(source: string, file: string): Node {
  const input = {
    language: 'Solidity',
    sources: { [file]: { content: source } },
    settings: { stopAfter: 'parsing', outputSelection: { '*': { '': ['ast'] } } },
  }
  const output = JSON.parse(solc.compile(JSON.stringify(input), { import: () => ({ contents: '' }) }))
  const ast: unknown = output.sources?.[file]?.ast
  if (!isNode(ast)) throw new Error(`${file} could not be parsed: ${JSON.stringify(output.errors)}`)
  return ast
}
