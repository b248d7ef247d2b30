import { cn } from '~/ui/class-names'

/** The look of a list of tabs; tabs within a page and tabs that are routes share it. */
export const tabListClass = 'flex gap-1 overflow-x-auto border-b border-line [scrollbar-width:none]'

/** The look of one tab. `isSelected` draws the line under it. */
export function tabClass(isSelected: boolean) {
  return cn(
    '-mb-px flex h-9 shrink-0 cursor-default items-center gap-2 rounded-t-sm border-b-2 px-3 text-sm whitespace-nowrap -outline-offset-2 transition-colors',
    isSelected
      ? 'border-accent-solid font-medium text-fg'
      : 'border-transparent text-fg-muted hover:border-line-strong hover:text-fg',
  )
}

/** The look of a list of tabs beside their panel; on a phone they stand above it as others do. */
export const sideTabListClass = cn(tabListClass, 'md:flex-col md:gap-0.5 md:border-b-0')

/** The look of one tab beside its panel. */
export function sideTabClass(isSelected: boolean) {
  return cn(
    tabClass(isSelected),
    'md:mb-0 md:h-8 md:rounded-sm md:border-b-0 md:border-l-2 md:hover:bg-hover',
    isSelected && 'md:bg-selected',
  )
}
