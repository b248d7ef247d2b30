/// <reference types="vite/client" />

interface ImportMetaEnv {
  /** Scheme and authority of the API, if it is not the page's own server's. */
  readonly VITE_API_HOST?: string
  /** Whether this is the technical preview. A constant, so that other builds have nothing of what depends on it. */
  readonly VITE_PREVIEW?: boolean
  /** Where Croft's source is kept, for the links of the preview. */
  readonly VITE_SOURCE_URL?: string
}
