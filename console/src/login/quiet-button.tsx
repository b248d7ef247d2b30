interface QuietButtonProps {
  onPress: () => void
  children: string
}

/** Another way to go, below what most people do. */
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
