/** Look of a box that text is typed into or a value is chosen from. */
export const CONTROL_CLASS =
  'w-full rounded-sm border border-line-control bg-field px-2.5 text-sm text-fg ' +
  'placeholder:text-fg-subtle disabled:bg-sunken disabled:text-fg-muted disabled:border-line-strong ' +
  'aria-invalid:border-danger-solid'
