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
        // The pattern has one group, so every second part is a match of the group.
        .map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}
    </p>
  )
}
