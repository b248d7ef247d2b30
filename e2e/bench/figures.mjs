/** What is told of several measurements. */

/** The figure that a share of all, between 0 and 1, does not exceed. */
export const percentile = (figures, share) =>
  figures.toSorted((a, b) => a - b)[Math.ceil(share * figures.length) - 1]

export const median = (figures) => figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)]

export const milliseconds = (figure) => `${figure.toFixed(0)} ms`
