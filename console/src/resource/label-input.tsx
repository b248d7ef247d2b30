import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'

import { labelsInUse } from '~/api/generated/operations'
import { q } from '~/api/query'
import { cn } from '~/ui/class-names'
import { CONTROL_CLASS } from '~/ui/control-class'
import { FieldMessage } from '~/ui/form/field-frame'

import { keyMistake } from './label-rules'

/** Most texts that are offered. */
const OFFERED = 100

interface LabelInputProps {
  /** Accessible name. */
  label: string
  placeholder: string
  /** Where the keys and values that are offered are in use. */
  place: { kind: string; project?: string }
  /** The key of which values are offered; without one, keys are. */
  of?: string
  value: string
  mistake: string | undefined
  onChange: (value: string) => void
  /** It has the focus from the start. */
  isFirst?: boolean
}

/** The key or the value of a label, with what is in use to choose from. */
export function LabelInput(props: LabelInputProps) {
  const { label, placeholder, place, of, value, mistake, onChange, isFirst = false } = props
  const [isUsed, setUsed] = useState(false)
  const id = useId()
  const { kind, project } = place
  const isReady = of === undefined || keyMistake(of) === undefined
  // Labels of a project are shared by all its kinds of resources; others are of one kind.
  const query = { ...(project ? { project } : { kind }), key: of, limit: OFFERED }
  const { data } = useQuery(
    q(
      labelsInUse,
      { query },
      { enabled: isUsed && isReady, allowNotFound: true, staleTime: 10_000 },
    ),
  )
  return (
    <div className="min-w-0 flex-1 space-y-1">
      <input
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the first field of a dialog
        autoFocus={isFirst}
        aria-label={label}
        aria-invalid={mistake ? true : undefined}
        aria-describedby={mistake && `${id}-mistake`}
        list={id}
        placeholder={placeholder}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onFocus={() => setUsed(true)}
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        className={cn(CONTROL_CLASS, 'h-8 font-mono max-md:h-11')}
      />
      <datalist id={id}>
        {isReady && data?.items.map((text) => <option key={text} value={text} />)}
      </datalist>
      <FieldMessage id={`${id}-mistake`} message={mistake} />
    </div>
  )
}
