/** Texts of the dialog that renames something of the person's own. */

export const renameTitle = {
  'access-token': 'Rename access token',
  'second-factor': 'Rename second factor',
}
export const renamedToast = {
  'access-token': (name: string) => (
    <>
      Renamed access token to <b>{name}</b>
    </>
  ),
  'second-factor': (name: string) => (
    <>
      Renamed second factor to <b>{name}</b>
    </>
  ),
}
export const renameLabel = 'Rename'
