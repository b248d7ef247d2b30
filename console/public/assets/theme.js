// Runs before the first paint, so that a remembered theme never flashes the other one. A file of its
// own because the content security policy forbids inline scripts.
;(() => {
  const key = 'croft-theme'
  const system = window.matchMedia('(prefers-color-scheme: dark)')

  const chosen = () => {
    try {
      return window.localStorage.getItem(key)
    } catch {
      // Storage can be denied by the browser; the system's theme still applies.
      return null
    }
  }

  const apply = () => {
    const choice = chosen()
    const theme =
      choice === 'dark' || choice === 'light' ? choice : system.matches ? 'dark' : 'light'
    document.documentElement.dataset.theme = theme
  }

  apply()
  system.addEventListener('change', apply)
  window.addEventListener('storage', (event) => {
    if (event.key === key || event.key === null) apply()
  })
})()
