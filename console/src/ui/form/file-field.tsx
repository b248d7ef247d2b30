import { FileUp, X } from 'lucide-react'
import { useRef, useState } from 'react'
import type { FieldPath, FieldPathValue, FieldValues } from 'react-hook-form'

import { truncate } from '~/lib/text'
import { formatBytes } from '~/lib/units'
import * as messages from '~/messages/forms'
import { Button } from '~/ui/button'
import { cn } from '~/ui/class-names'
import { FieldFrame } from '~/ui/form/field-frame'
import { labelling, useField, type FieldProps } from '~/ui/form/use-field'

const MAX_NAME_LENGTH = 32

/** Properties of {@link FileField}. */
export interface FileFieldProps<V extends FieldValues, N extends FieldPath<V>> extends FieldProps<
  V,
  N
> {
  /** Accepted types as the file dialog takes them, for example ".pem,.crt". */
  accept?: string
}

/** One file, dropped or chosen. The value is a `File`, or `null` for none. */
export function FileField<V extends FieldValues, N extends FieldPath<V>>(
  props: FileFieldProps<V, N>,
) {
  const { accept, required = false, help, disabled } = props
  const connected = useField(props, { isEmpty: (value) => fileOf(value) === null })
  const { ref, name, value, onBlur, ids, label, error, change } = connected
  const input = useRef<HTMLInputElement | null>(null)
  const [isOver, setIsOver] = useState(false)
  const file = fileOf(value)
  const choose = (chosen: File | null): void => change(chosen as FieldPathValue<V, N>)
  return (
    <FieldFrame {...{ ids, label, required, help, error }}>
      <div
        onDragEnter={() => setIsOver(true)}
        onDragLeave={() => setIsOver(false)}
        onDrop={() => setIsOver(false)}
        className={cn(
          'relative flex min-h-16 items-center justify-center gap-2 rounded-md border border-dashed px-4 text-sm has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-focus',
          error ? 'border-danger-solid' : 'border-line-control',
          isOver ? 'bg-accent-bg' : disabled ? 'bg-sunken' : 'bg-field hover:bg-hover',
        )}
      >
        {/* The input itself, transparent, covers the zone: clicks, drops and the keyboard need nothing else. */}
        <input
          {...labelling(connected, help)}
          ref={(element) => {
            input.current = element
            ref(element)
          }}
          id={ids.control}
          type="file"
          name={name}
          accept={accept}
          disabled={disabled}
          onBlur={onBlur}
          onChange={(event) => {
            const [chosen] = event.target.files ?? []
            // A cancelled file dialog leaves what was chosen before.
            if (chosen) choose(chosen)
          }}
          aria-invalid={error ? true : undefined}
          className="absolute inset-0 cursor-default opacity-0"
        />
        {file ? (
          <ChosenFile
            file={file}
            onClear={() => {
              // Otherwise choosing the same file again would be no change to the browser.
              if (input.current) input.current.value = ''
              choose(null)
              input.current?.focus()
            }}
          />
        ) : (
          <EmptyZone accept={accept} />
        )}
      </div>
    </FieldFrame>
  )
}

function EmptyZone({ accept }: { accept?: string }) {
  return (
    <span className="flex items-center gap-2 text-fg-muted">
      <FileUp aria-hidden="true" className="size-4 text-fg-subtle" />
      <span>
        {messages.filePlaceholder}
        {accept && <span className="ml-1 text-fg-subtle">({accept.split(',').join(', ')})</span>}
      </span>
    </span>
  )
}

function ChosenFile({ file, onClear }: { file: File; onClear: () => void }) {
  return (
    <>
      <span className="min-w-0 truncate text-fg" title={file.name}>
        {truncate(file.name, MAX_NAME_LENGTH, 'middle')}{' '}
        <span className="text-fg-subtle tabular">({formatBytes(file.size)})</span>
      </span>
      <Button
        needs={null}
        variant="ghost"
        size="icon"
        aria-label={messages.clearFileLabel}
        className="z-1 size-6"
        onPress={onClear}
      >
        <X aria-hidden="true" />
      </Button>
    </>
  )
}

function fileOf(value: unknown): File | null {
  return value instanceof File ? value : null
}
