/** Texts about snapshots. */

export const createdToast = (name: string) => (
  <>
    Snapshot <b>{name}</b> created
  </>
)
