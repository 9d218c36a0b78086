// What counts as a branch of a contract: a condition by which its code goes one way or the other, and its two outcomes.
//
//   if, while, do, for, ?:     the condition: true, false. Whether a loop is ever passed by is not asked
//   require, assert            the condition: true, and false, which reverts
//   &&, ||                     each operand by itself: `a && b` has the outcomes a, not a, b, not b. Where they are the
//                              condition of an `if`, its own two outcomes follow from these
//   try                        each of its arms: taken, and that is its only outcome
//
// The conditions of a modifier count separately for every function that uses it, since each of them can lack its test. What the
// compiler adds (checks of overflow, of an index, of arguments) does not count, nor does a call that fails by itself.
// Assembly is rejected, because nothing looks into it, and so are virtual modifiers.

import { isNode, type Node, parse, rangeOf } from './syntax.ts'

export interface Branch {
  contract: string
  line: number
  kind: 'condition' | 'arm'
  /** Offsets in bytes: a condition with its operators, or the inside of an arm. */
  start: number
  end: number
  /** The condition or the arm as it is written, on one line. */
  text: string
}

export interface Modifier {
  name: string
  nameEnd: number
  start: number
  end: number
  branches: Branch[]
}

export interface Use {
  modifier: string
  nameEnd: number
  contract: string
  line: number
  /** With its arguments. */
  text: string
}

export interface Found {
  /** Those outside of modifiers; as everywhere, outer ones come before those inside them. */
  branches: Branch[]
  modifiers: Modifier[]
  /** Of modifiers, of libraries too, and of constructors: only names tell them apart. */
  uses: Use[]
}

/** Where a node stands: the contract, and the list that its branches belong to. */
interface Place {
  contract: string
  branches: Branch[]
}

export function findBranches(source: string, file: string): Found {
  const bytes = Buffer.from(source)
  const found: Found = { branches: [], modifiers: [], uses: [] }

  const locate = ({ src }: Node) => {
    const [start, end] = rangeOf(src)
    const line = bytes.toString('utf8', 0, start).split('\n').length
    return { line, start, end, text: bytes.toString('utf8', start, end).replaceAll(/\s+/g, ' ') }
  }

  const visit = (node: Node, outside: Place): void => {
    const place = placeInside(node, outside)
    const { contract, branches } = place
    for (const condition of conditionsOf(node))
      if (!isJunction(condition)) branches.push({ contract, kind: 'condition', ...locate(condition) })
    if (node.nodeType === 'TryCatchClause' && node.block)
      branches.push({ contract, kind: 'arm', ...locate(node.block) })
    if (node.nodeType === 'ModifierInvocation' && node.modifierName) {
      const { line, text } = locate(node)
      const [, nameEnd] = rangeOf(node.modifierName.src)
      // A use may name the modifier's contract too: `Base.modifier`.
      const modifier = node.modifierName.name?.split('.').at(-1) ?? ''
      found.uses.push({ modifier, nameEnd, contract, line, text })
    }
    for (const child of Object.values(node).flat()) if (isNode(child)) visit(child, place)
  }

  const placeInside = (node: Node, outside: Place): Place => {
    const { nodeType, name = '', nameLocation = '' } = node
    if (nodeType === 'InlineAssembly') throw new Error(`${file} has assembly, whose branches are not found`)
    if (nodeType === 'ContractDefinition') return { ...outside, contract: name }
    if (nodeType !== 'ModifierDefinition') return outside
    if (node.virtual) throw new Error(`${file} has the virtual modifier ${name}, which is not followed`)
    const [start, end] = rangeOf(node.src)
    const [, nameEnd] = rangeOf(nameLocation)
    const modifier: Modifier = { name, nameEnd, start, end, branches: [] }
    found.modifiers.push(modifier)
    return { ...outside, branches: modifier.branches }
  }

  visit(parse(source, file), { contract: '', branches: found.branches })
  for (const { branches } of [found, ...found.modifiers])
    branches.sort((a, b) => a.start - b.start || b.end - a.end)
  return found
}

function conditionsOf(node: Node): Node[] {
  if (isOperation(node)) return [node.leftExpression, node.rightExpression].filter(isNode)
  if (node.nodeType === 'FunctionCall') return isDemand(node) ? (node.arguments ?? []).slice(0, 1) : []
  return isNode(node.condition) ? [node.condition] : []
}

const isOperation = ({ nodeType, operator }: Node): boolean =>
  nodeType === 'BinaryOperation' && (operator === '&&' || operator === '||')

const isDemand = ({ expression }: Node): boolean =>
  expression?.nodeType === 'Identifier' && (expression.name === 'require' || expression.name === 'assert')

/** Whether it only joins conditions that count themselves, with parentheses or a `!` around them or not. */
function isJunction(node: Node): boolean {
  const inner = node.nodeType === 'TupleExpression' ? node.components?.[0] : node.subExpression
  return isOperation(node) || (isNode(inner) && isJunction(inner))
}
