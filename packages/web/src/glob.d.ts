interface ImportMeta {
  /** Files as text, each loaded when it is requested. Vite fills it in. */
  readonly glob: (
    patterns: readonly string[],
    options: { query: '?raw'; import: 'default' },
  ) => Record<string, () => Promise<string>>
}
