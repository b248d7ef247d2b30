/** Forms and resources as commands, calls and Terraform. */

export const formatsLabel = 'Formats'
export const formatLabel = { cli: 'CLI', api: 'API', terraform: 'Terraform' }
export const copyLabel = 'Copy code'
export const codeLabel = 'Code'
export const secretsHelp =
  'Secrets are left out. Replace the placeholders that begin with $ before you run this.'
export const terraformSecretsHelp =
  'Secrets are left out. Terraform asks for the variables that stand for them.'
export const noTerraformText =
  'The Terraform provider has no resource for this. Use the CLI or the API instead.'
export const incompleteText = 'Fill in the required fields to see the code.'
export const changeArgumentsText = 'Change these arguments where the resource is declared.'
