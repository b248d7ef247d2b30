import { snakeCase } from '~/api/wire'
import * as text from '~/messages/as-code-export'

import { onWire } from './call'
import type { WireCall } from './call'
import type { ProjectExport } from './project-export'
import { isObject } from './secrets'
import { describe } from './terraform'
import { TerraformFile } from './terraform-file'
import { DEFAULT } from './vpc-export'

const PROVIDER = `terraform {
  required_providers {
    oxide = {
      source = "oxidecomputer/oxide"
    }
  }
}`

/** What exists in a new project or VPC, and is looked up rather than made. */
const DEFAULTS = new Set(['vpcCreate', 'vpcSubnetCreate'])

/** A project as a file of Terraform. */
export function exportTerraform({ project, calls, notes }: ProjectExport): string {
  const file = new TerraformFile()
  const lacking = new Set<string>()
  for (const call of calls.map(onWire)) {
    if (isLeftOut(call)) continue
    if (describe(file, call) === undefined) lacking.add(snakeCase(call.name))
    if (isObject(call.body) && call.body.custom_router) lacking.add('custom_router')
  }
  const comments = [
    text.terraformText(project),
    ...notes,
    text.terraformDefaultsText,
    ...(lacking.size > 0 ? [text.lackingText([...lacking])] : []),
  ]
  return `${comments.map((note) => `# ${note}`).join('\n')}\n\n${PROVIDER}\n\n${file.toString()}\n`
}

const isLeftOut = ({ name, method, body }: WireCall): boolean =>
  method === 'DELETE' || (DEFAULTS.has(name) && isObject(body) && body.name === DEFAULT)
