/** Search params as plain words, so that addresses read `?q=ledger&minRating=4` and not as quoted JSON. */
export function parseSearchText(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text))
}

export function writeSearchText(search: Record<string, unknown>): string {
  const given = Object.entries(search).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  )
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return text === '' ? '' : `?${text}`
}

/** For pages whose filters are a few plain words: picks these and passes over the rest. */
export function textSearch<Name extends string>(...names: Name[]) {
  return (raw: Record<string, unknown>): { [Key in Name]?: string } => {
    const found = names.flatMap((name) => {
      const value = raw[name]
      return typeof value === 'string' && value !== '' ? [[name, value]] : []
    })
    return Object.fromEntries(found)
  }
}
