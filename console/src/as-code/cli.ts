import { bodyText } from './call'
import type { WireCall } from './call'
import { FILE_HEADER, shellQuote } from './shell'

/** Resources with commands of their own, by the beginnings of their operations. All others, such as extensions, are called by path. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  currentUserSshKey: ['current-user', 'ssh-key'],
  disk: ['disk'],
  floatingIp: ['floating-ip'],
  image: ['image'],
  instance: ['instance'],
  ipPool: ['ip-pool'],
  project: ['project'],
  silo: ['silo'],
  snapshot: ['snapshot'],
  vpc: ['vpc'],
  vpcFirewallRules: ['vpc', 'firewall-rules'],
  vpcRouter: ['vpc', 'router'],
  vpcRouterRoute: ['vpc', 'router', 'route'],
  vpcSubnet: ['vpc', 'subnet'],
}

/** The command for an operation: `vpcSubnetCreate` is `vpc subnet create`. */
function commandOf(operation: string): string | undefined {
  const [, resource = '', verb = ''] = /^(.+)(Create|Update|View|Delete)$/.exec(operation) ?? []
  return GROUPS[resource] && [...GROUPS[resource], verb.toLowerCase()].join(' ')
}

const kebabCase = (name: string) => name.replaceAll('_', '-')

/** The command of the public command-line client that makes a call. A body is read from a here-document. */
export function cliCommand(call: WireCall): string {
  const command = commandOf(call.name)
  const parts = command ? [`oxide ${command}`, ...options(call)] : [apiCommand(call)]
  if (call.file !== undefined) {
    parts.push(`--header ${shellQuote(FILE_HEADER)}`, `--input ${shellQuote(`./${call.file}`)}`)
  }
  const text = bodyText(call)
  if (text === undefined) return parts.join(' \\\n  ')
  parts.push(command ? '--json-body /dev/stdin' : '--input -')
  // JSON has no line that ends the document: line breaks in its texts are escaped.
  return `${parts.join(' \\\n  ')} <<'EOF'\n${text}\nEOF`
}

const options = ({ path, query }: WireCall): string[] =>
  Object.entries({ ...query, ...path }).map(([name, value]) =>
    // Anything but a plain word may begin with a hyphen, so that it stands behind `=`.
    [
      `--${kebabCase(name)}`,
      /^\w[\w.-]*$/.test(value) ? ` ${value}` : `=${shellQuote(value)}`,
    ].join(''),
  )

const apiCommand = ({ method, url }: WireCall): string =>
  ['oxide', 'api', shellQuote(url), ...(method === 'GET' ? [] : ['--method', method])].join(' ')
