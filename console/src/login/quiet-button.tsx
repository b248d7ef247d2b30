interface QuietButtonProps {
  onPress: () => void
  children: string
}

/** A less prominent alternative to the main button. */
export function QuietButton({ onPress, children }: QuietButtonProps) {
  return (
    <p className="mt-6 text-center text-sm text-fg-muted">
      <button
        type="button"
        onClick={onPress}
        className="cursor-pointer rounded-sm underline underline-offset-3"
      >
        {children}
      </button>
    </p>
  )
}
