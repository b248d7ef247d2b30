/** Lets the browser download an address of this server to a file; nothing of it goes through the page's memory. */
export function download(href: string, name: string): void {
  const link = document.createElement('a')
  link.href = href
  link.download = name
  link.click()
}
