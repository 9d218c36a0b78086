import { concatHex, type Hex, hexToBytes, size, toRlp } from 'viem'
import { keccakOfHex } from '../hashing/keccak.ts'

/** A node of the trie before it is encoded: nested lists of byte strings. */
type Node = Hex | readonly Node[]

interface Item {
  nibbles: readonly number[]
  value: Hex
}

const EMPTY: Hex = '0x'
/** A node that is encoded in fewer bytes than a hash stands in its parent as it is. */
const HASH_BYTES = 32

/** The root of the Merkle-Patricia trie that holds these values under their positions, as block headers commit to lists. */
export const trieRootOf = (values: readonly Hex[]): Hex => {
  const items = values.map((value, index) => ({ nibbles: nibblesOf(keyAt(index)), value }))
  return keccakOfHex(toRlp(items.length === 0 ? EMPTY : (nodeOf(items, 0) as Hex[])))
}

/** All items share their first `depth` nibbles, and no key is the beginning of another. */
const nodeOf = (items: readonly Item[], depth: number): Node => {
  const [first, ...others] = items
  if (first === undefined) return EMPTY
  if (others.length === 0) return [compactOf(first.nibbles.slice(depth), true), first.value]
  const shared = sharedLength(items, depth)
  if (shared > 0) {
    const child = referenceOf(nodeOf(items, depth + shared))
    return [compactOf(first.nibbles.slice(depth, depth + shared), false), child]
  }
  const groups = Map.groupBy(items, ({ nibbles }) => nibbles[depth])
  const children = Array.from({ length: 16 }, (_, nibble) =>
    referenceOf(nodeOf(groups.get(nibble) ?? [], depth + 1)),
  )
  return [...children, EMPTY]
}

const referenceOf = (node: Node): Node => {
  const encoded = toRlp(node as Hex[])
  return node === EMPTY || size(encoded) < HASH_BYTES ? node : keccakOfHex(encoded)
}

const sharedLength = (items: readonly Item[], depth: number): number => {
  const [first] = items
  let length = 0
  const nibbleAt = ({ nibbles }: Item) => nibbles[depth + length]
  while (first && nibbleAt(first) !== undefined && items.every((item) => nibbleAt(item) === nibbleAt(first)))
    length += 1
  return length
}

/** Half bytes as whole bytes, with two bits before them: whether it ends a path, and whether their number is odd. */
const compactOf = (nibbles: readonly number[], isLeaf: boolean): Hex => {
  const isOdd = nibbles.length % 2 === 1
  const flag = (isLeaf ? 2 : 0) + (isOdd ? 1 : 0)
  const all = isOdd ? [flag, ...nibbles] : [flag, 0, ...nibbles]
  return concatHex(['0x', `0x${all.map((nibble) => nibble.toString(16)).join('')}`])
}

const keyAt = (index: number): Hex => {
  const hex = index.toString(16)
  return toRlp(index === 0 ? EMPTY : `0x${hex.length % 2 === 1 ? `0${hex}` : hex}`)
}

const nibblesOf = (key: Hex): number[] => [...hexToBytes(key)].flatMap((byte) => [byte >> 4, byte & 15])
