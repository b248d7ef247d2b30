import { allItems } from '~/api/list'
import * as text from '~/messages/lists'
import { Button } from '~/ui/button'
import type { ButtonLook } from '~/ui/button-class'
import { EmptyMessage } from '~/ui/empty-message'
import { FilterField } from '~/ui/filter-field'
import type { MenuIcon } from '~/ui/menu'

import { AddFilter } from './filter-menu'
import type { FilterMenuProps } from './filter-menu'
import { withoutFilters, withText } from './list-view'
import type { ListView } from './list-view'
import { filterField } from './shortcuts'
import type { Found } from './use-found'
import { useUrlText } from './use-url-text'

/** What is searched for in a list, and what it is filtered by. */
export function ListControls<R extends object>(
  props: FilterMenuProps<R> & Pick<ButtonLook, 'size'>,
) {
  const { view, choose } = props
  const [typed, type] = useUrlText(view.q ?? '', (next) => choose(withText(view, next)))
  return (
    <>
      <FilterField
        label={text.searchLabel}
        value={typed}
        onChange={type}
        className="w-48 max-md:w-full"
      />
      {props.columns.some(({ filter }) => filter) && <AddFilter {...props} />}
    </>
  )
}

/** Shown instead of rows when none passes the search and the filters. */
export function NoneFound({
  icon: Icon,
  view,
  choose,
}: {
  icon: MenuIcon
  view: ListView
  choose: (view: ListView) => void
}) {
  return (
    <EmptyMessage
      icon={<Icon />}
      title={text.noneFoundTitle}
      body={text.noneFoundHelp}
      action={
        <Button
          needs={null}
          variant="secondary"
          size="sm"
          onPress={() => {
            choose(withoutFilters(view))
            filterField()?.focus()
          }}
        >
          {text.clearLabel}
        </Button>
      }
    />
  )
}

// Not by `lib/numbers`, which would be one more file of every list. Making the first formatter takes a browser some 10 ms.
const formatInteger = (count: number) => (count < 1000 ? String(count) : count.toLocaleString())

/** How many rows there are. */
export function listTotal({
  total,
  all,
  isPartial,
}: Pick<Found<unknown>, 'total' | 'all' | 'isPartial'>): string | undefined {
  if (isPartial) return text.firstOnlyText(formatInteger(allItems))
  if (!total) return undefined
  const count = formatInteger(total.count)
  if (all !== undefined) return text.foundText(count, formatInteger(all))
  return total.isExact ? text.totalText(count) : text.aboutTotalText(count)
}
