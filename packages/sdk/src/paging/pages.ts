/** One page of a list that goes on by cursor. */
export interface CursorPage<Item> {
  items: Item[]
  nextCursor: string | null
}

/** Every item of all pages. A page is requested when the one before is used up, so leaving the loop ends the asking. */
export async function* byCursor<Item>(
  first: string | undefined,
  readPage: (cursor: string | undefined) => Promise<CursorPage<Item>>,
): AsyncGenerator<Item, void> {
  let cursor = first
  do {
    const page: CursorPage<Item> = await readPage(cursor)
    yield* page.items
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
}

/** One page of a list that goes on by offset. */
export interface OffsetPage<Item> {
  items: Item[]
  total: number
}

export async function* byOffset<Item>(
  first: number | undefined,
  readPage: (offset: number) => Promise<OffsetPage<Item>>,
): AsyncGenerator<Item, void> {
  let offset = first ?? 0
  for (;;) {
    const { items, total } = await readPage(offset)
    yield* items
    offset += items.length
    if (items.length === 0 || offset >= total) return
  }
}
