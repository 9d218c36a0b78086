// Runs before the first paint, so that nobody sees the other theme flash by. The page itself takes over in design/theme.ts.
;(() => {
  let choice = null
  try {
    choice = localStorage.getItem('marketplace.theme')
  } catch {
    // Storage may be forbidden; the system's theme is used then.
  }
  const isDark =
    choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light'
})()
