const key = 'croft-silo'

/** The silo that this browser last signed in to. */
export const lastSilo = () => localStorage.getItem(key)

/** The silo to offer: the one this browser last signed in to, else the one the server names as default. */
export function offeredSilo(): string {
  const tag = document.querySelector<HTMLMetaElement>('meta[name="croft-default-silo"]')
  return lastSilo() ?? tag?.content ?? ''
}

/** Remembers a silo that a person has signed in to. */
export const rememberSilo = (silo: string) => localStorage.setItem(key, silo)
