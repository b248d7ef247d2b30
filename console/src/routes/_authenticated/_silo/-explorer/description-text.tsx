interface DescriptionTextProps {
  text: string
  className?: string
}

/** A description of the API document. Text in backticks is code; lines are kept as they are. */
export function DescriptionText({ text, className }: DescriptionTextProps) {
  return (
    <p className={className}>
      {text
        .split(/`([^`]+)`/)
        // With one group in the pattern, every second part is what the group has matched.
        .map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}
    </p>
  )
}
