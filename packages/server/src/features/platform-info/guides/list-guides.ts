import type { DocsDeps } from '../docs-deps.ts'

/** One line for each guide, with the address of its Markdown. */
export const listGuides = ({ guides, publicUrl }: Pick<DocsDeps, 'guides' | 'publicUrl'>): string =>
  guides()
    .map(
      ({ slug, title, description }) => `- [${title}](${publicUrl.origin}/docs/${slug}.md): ${description}`,
    )
    .join('\n')
