const COLORS = 6

/** The token of a series' colour. Six can be told apart, also by people who see fewer colours; then they begin again, dashed. */
export const seriesColor = (index: number): string => `--color-chart-${(index % COLORS) + 1}`

/** Whether a series is dashed, because its colour is another's too. */
export const isDashed = (index: number): boolean => index >= COLORS
