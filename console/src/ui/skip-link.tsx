import * as text from '~/messages/shell'

/** First stop of the Tab key on every page: jumps over bar and sidebar to `<SkipLinkTarget>`. */
export function SkipLink() {
  return (
    <a
      href="#content"
      className="fixed top-2 left-2 z-toast -translate-y-16 rounded-sm bg-accent-solid px-3 py-1.5 text-sm font-medium text-accent-on focus:translate-y-0"
    >
      {text.skipLabel}
    </a>
  )
}

/** The target, just before `<main>` in every content pane. */
export function SkipLinkTarget() {
  return <div id="content" tabIndex={-1} className="outline-none" />
}
