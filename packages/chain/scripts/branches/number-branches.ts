// Gives every branch of every file its number. A modifier's branches have others for each of its uses.

import type { Branch, Found, Modifier } from './find-branches.ts'

export interface NumberedBranch extends Branch {
  file: string
}

export interface Numbers {
  /** Of the file's first branch outside of modifiers; the others follow. */
  first: number
  /** For each use in the file, of the first branch of its copy; undefined where the modifier is not ours. */
  uses: (number | undefined)[]
}

export interface Numbered {
  /** Each at the place that is its number. */
  branches: NumberedBranch[]
  files: Map<string, Numbers>
  /** The first numbers of all copies of a modifier, by its name. */
  copies: Map<string, number[]>
}

export function numberBranches(found: ReadonlyMap<string, Found>): Numbered {
  const modifiers = byName(found)
  const numbered: Numbered = { branches: [], files: new Map(), copies: new Map() }
  for (const [file, { branches, uses }] of found) {
    const numbers: Numbers = { first: numbered.branches.length, uses: [] }
    numbered.branches.push(...branches.map((branch) => ({ ...branch, file })))
    for (const { modifier, contract, line, text } of uses) {
      const inside = modifiers.get(modifier)?.branches
      const first = inside && numbered.branches.length
      numbers.uses.push(first)
      if (!inside || first === undefined) continue
      numbered.copies.set(modifier, [...(numbered.copies.get(modifier) ?? []), first])
      numbered.branches.push(
        ...inside.map((branch) => ({ ...branch, file, contract, line, text: `${text}: ${branch.text}` })),
      )
    }
    numbered.files.set(file, numbers)
  }
  return numbered
}

function byName(found: ReadonlyMap<string, Found>): Map<string, Modifier> {
  const modifiers = new Map<string, Modifier>()
  for (const modifier of [...found.values()].flatMap((file) => file.modifiers)) {
    if (modifiers.has(modifier.name)) throw new Error(`two modifiers have the name ${modifier.name}`)
    modifiers.set(modifier.name, modifier)
  }
  return modifiers
}
