/** A word as the index has it, and how many listed agents have it. */
export interface KnownWord {
  lexeme: string
  listedCount: number
}

/** A word that a match is scored by. */
export interface Term extends KnownWord {
  weight: number
}

/** Stems of filler words in requests: they say nothing about the work, and count only where there are no others. */
const fillers: ReadonlySet<string> = new Set(
  (
    'anybodi anyon best could find get give good hello help hi know let like look make mayb much need pleas realli ' +
    'somebodi someon someth thank us use want way would'
  ).split(' '),
)

/** A text of 200 letters has room for more words than help. */
const MAX_TERMS = 16
const CORRECTED_WEIGHT = 0.5

interface WrittenWord extends KnownWord {
  /** Words that look like it, where nobody has it. */
  alike: readonly KnownWord[]
}

/** What to look for, the rarest first: a word weighs more the fewer agents have it, and half where it had to be corrected. */
export function termsOf(written: readonly WrittenWord[], agentCount: number): Term[] {
  const terms = new Map<string, Term>()
  const add = ({ lexeme, listedCount }: KnownWord, share: number) => {
    const weight = share * Math.log(1 + agentCount / listedCount)
    if (weight > (terms.get(lexeme)?.weight ?? 0)) terms.set(lexeme, { lexeme, listedCount, weight })
  }
  for (const word of meaningful(written)) {
    const corrected = nearestOf(word.lexeme, word.alike)
    if (word.listedCount > 0) add(word, 1)
    else if (corrected) add(corrected, CORRECTED_WEIGHT)
  }
  return [...terms.values()]
    .sort((a, b) => a.listedCount - b.listedCount || (a.lexeme < b.lexeme ? -1 : 1))
    .slice(0, MAX_TERMS)
}

function meaningful<Word extends KnownWord>(words: readonly Word[]): readonly Word[] {
  const others = words.filter(({ lexeme }) => !fillers.has(lexeme))
  return others.length > 0 ? others : words
}

/** As many of the rarest as together lead to no more agents than are ranked, and one at least. */
export function rarest(terms: readonly Term[], rankedCount: number): readonly Term[] {
  return terms.slice(0, Math.max(1, countWithin(terms, rankedCount)))
}

/** How many of these words, from the first, together lead to no more agents than so many. */
function countWithin(words: readonly KnownWord[], agentCount: number): number {
  let sum = 0
  const count = words.findIndex(({ listedCount }) => {
    sum += listedCount
    return sum > agentCount
  })
  return count === -1 ? words.length : count
}

/** Words that look like unknown ones, and of which a name may be made: the rarest, that lead to at most so many agents. */
export function nameWordsOf(alike: Iterable<readonly KnownWord[]>, agentCount: number): readonly KnownWord[] {
  const words = [...new Map([...alike].flat().map((word) => [word.lexeme, word])).values()].sort(
    (a, b) => a.listedCount - b.listedCount || (a.lexeme < b.lexeme ? -1 : 1),
  )
  return words.slice(0, countWithin(words, agentCount))
}

const SHORT_WORD = 5

/** The known word that fewest typing errors lead to: one in a short word, two in a longer one. */
export function nearestOf(lexeme: string, known: readonly KnownWord[]): KnownWord | undefined {
  const [nearest] = known
    .map((word) => ({ ...word, distance: editDistance(lexeme, word.lexeme) }))
    .filter(({ lexeme: other, distance }) => {
      const length = Math.max(lexeme.length, other.length)
      return distance <= (length > SHORT_WORD ? 2 : 1)
    })
    .sort(
      (a, b) => a.distance - b.distance || b.listedCount - a.listedCount || (a.lexeme < b.lexeme ? -1 : 1),
    )
  return nearest && { lexeme: nearest.lexeme, listedCount: nearest.listedCount }
}

/** How many letters have to be added, left out, changed or swapped with their neighbour. */
export function editDistance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, column) => column)]
  const at = (row: number, column: number) => rows[row]?.[column] ?? Number.POSITIVE_INFINITY
  for (let row = 1; row <= a.length; row += 1) {
    rows.push([row])
    for (let column = 1; column <= b.length; column += 1) {
      const changed = at(row - 1, column - 1) + Number(a[row - 1] !== b[column - 1])
      const isSwapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      const swapped = isSwapped ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY
      rows[row]?.push(Math.min(at(row - 1, column) + 1, at(row, column - 1) + 1, changed, swapped))
    }
  }
  return at(a.length, b.length)
}
