/** What `/docs/index.json` holds: the contents of the documentation, for its navigation and its search. */
export interface DocsIndex {
  guides: DocsGuide[]
  /** The calls by their tags, in the order of the contract. */
  reference: DocsTag[]
  /** The error codes, each with what it means. */
  errors: { code: string; meaning: string }[]
}

export interface DocsGuide {
  /** Its page is `/docs/<slug>`, its Markdown `/docs/<slug>.md`. */
  slug: string
  title: string
  description: string
  sections: DocsSection[]
}

export interface DocsSection {
  /** The fragment of its address. */
  id: string
  title: string
  /** Its words and its code, without marks. */
  text: string
}

export interface DocsTag {
  tag: string
  description: string
  operations: DocsOperation[]
}

export interface DocsOperation {
  /** Its page is `/docs/reference/<id>`. */
  id: string
  method: string
  path: string
  summary: string
}

/** The fragment that leads to a heading. */
export const headingId = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_]+/gu, '-')
    .replace(/^-+|-+$/g, '')
