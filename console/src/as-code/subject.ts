/** Something that can be shown as code, by the names in its address. */
export type CodeSubject =
  | { kind: 'project'; project: string }
  | { kind: 'ssh-key'; name: string }
  /** `project` is that of an image of a project. */
  | { kind: 'image'; id: string; project?: string }
  | {
      kind: 'disk' | 'snapshot' | 'floating-ip' | 'instance' | 'anti-affinity-group'
      project: string
      name: string
    }
  | { kind: 'vpc'; project: string; vpc: string }
  | { kind: 'subnet' | 'router' | 'internet-gateway'; project: string; vpc: string; name: string }
  | { kind: 'route'; project: string; vpc: string; router: string; name: string }
