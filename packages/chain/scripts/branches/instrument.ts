// Rewrites a source so that each outcome of its branches is reported while it runs: a condition is handed through a
// function that reports its value, and an arm of a `try` begins with a report. Every use of a modifier gets a copy of it,
// which is what the compiler makes of it anyway. Nothing else of the code changes.

import type { Branch, Found } from './find-branches.ts'
import type { Numbered } from './number-branches.ts'
import { REPORTER_FILE } from './reporter.ts'

interface Insertion {
  /** Before the byte at this offset. */
  at: number
  text: string
}

export function instrument(source: string, file: string, found: Found, { files, copies }: Numbered): string {
  const numbers = files.get(file)
  if (!numbers) return source
  const bytes = Buffer.from(source)
  const names = found.uses.map(({ nameEnd }, index): Insertion => {
    const number = numbers.uses[index]
    return { at: nameEnd, text: number === undefined ? '' : `_${number}` }
  })
  const modifiers = found.modifiers.map(({ name, nameEnd, start, end, branches }): Insertion => {
    const texts = (copies.get(name) ?? []).map((number) =>
      insert(bytes, start, end, [{ at: nameEnd, text: `_${number}` }, ...reports(branches, number)]),
    )
    return { at: end, text: texts.map((text) => `\n${text}`).join('') }
  })
  const inserted = [...names, ...modifiers, ...reports(found.branches, numbers.first)]
  const written = insert(bytes, 0, bytes.length, inserted)
  return `${written}\nimport {BranchReporter} from "${REPORTER_FILE}";\n`
}

/** `branches` have outer ones first: at the same offset an inner one ends before an outer one, and begins after it. */
function reports(branches: readonly Branch[], firstNumber: number): Insertion[] {
  const numbered = branches.map((branch, index) => ({ ...branch, number: firstNumber + index }))
  const arms = numbered.filter(({ kind }) => kind === 'arm')
  const conditions = numbered.filter(({ kind }) => kind === 'condition')
  return [
    ...arms.map(({ start, number }) => ({ at: start + 1, text: `BranchReporter.seen(true, ${number});` })),
    ...conditions.toReversed().map(({ end, number }) => ({ at: end, text: `, ${number})` })),
    ...conditions.map(({ start }) => ({ at: start, text: 'BranchReporter.seen(' })),
  ]
}

/** The bytes from `start` to `end` with the insertions; those at the same offset in their order. */
function insert(bytes: Buffer, start: number, end: number, insertions: readonly Insertion[]): string {
  let written = ''
  let from = start
  for (const { at, text } of insertions.toSorted((a, b) => a.at - b.at)) {
    written += bytes.toString('utf8', from, at) + text
    from = at
  }
  return written + bytes.toString('utf8', from, end)
}
