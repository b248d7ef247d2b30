/** Texts about SSH keys. */

export const createdToast = (name: string) => (
  <>
    SSH key <b>{name}</b> created
  </>
)
export const addTitle = 'Add SSH key'
export const publicKeyLabel = 'Public key'
export const publicKeyHelp = 'One line that starts with the key type, such as ssh-ed25519.'
export const deleteHelp = 'Instances created with this key still accept it.'
export const deletedToast = (name: string) => (
  <>
    SSH key <b>{name}</b> deleted
  </>
)
export const privateKeyError =
  'This is a private key. Use the public key, usually in the file that ends in .pub'
export const keyTooLongError = (max: number) => `Must be ${max} characters or fewer`
export const tooManyKeysError = (max: number) => `An instance supports a maximum of ${max} SSH keys`
