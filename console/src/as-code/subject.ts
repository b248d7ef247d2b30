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
  /** All rules of a VPC: they are read and set together. */
  | { kind: 'firewall-rules'; project: string; vpc: string }
  | { kind: 'network-interface'; project: string; instance: string; name: string }
  | SystemSubject

/** Something that belongs to no project. */
export type SystemSubject =
  | { kind: 'silo' | 'ip-pool' | 'alert-receiver'; name: string }
  | { kind: 'identity-provider'; silo: string; name: string }
  | { kind: 'local-user'; silo: string; id: string }
  | {
      kind: 'support-bundle' | 'trust-root' | 'sled' | 'rack' | 'switch' | 'physical-disk'
      id: string
    }
  | { kind: 'release'; version: string }
