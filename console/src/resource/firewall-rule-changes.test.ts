import { beforeEach, describe, expect, it } from 'vitest'

import { configureTransport } from '~/api/client'
import type { VpcFirewallRule } from '~/api/generated/types.gen'

import { ruleUpdate } from './firewall-rule'
import {
  createRule,
  deleteRule,
  NAME_TAKEN,
  renameVpcInRules,
  replaceRule,
  RuleChangedError,
} from './firewall-rule-changes'

const of = { project: 'web', vpc: 'prod' }

const rule = (name: string, over: Partial<VpcFirewallRule> = {}): VpcFirewallRule => ({
  id: `id-of-${name}`,
  vpcId: 'v',
  name,
  description: '',
  status: 'enabled',
  action: 'allow',
  direction: 'inbound',
  priority: 5,
  targets: [],
  filters: { hosts: null, ports: null, protocols: null },
  timeCreated: new Date(0),
  timeModified: new Date(0),
  ...over,
})

let stored: VpcFirewallRule[] = []
let sent: { name: string }[][] = []

beforeEach(() => {
  stored = []
  sent = []
  configureTransport({
    fetch: async (_, init) => {
      if (init.method === 'PUT') sent.push(JSON.parse(String(init.body)).rules)
      return Response.json({ rules: stored })
    },
  })
})

const names = () => sent.map((rules) => rules.map(({ name }) => name))

describe('creating a rule', () => {
  it('adds it behind those that are there now, reduced to what the server takes', async () => {
    stored = [rule('a'), rule('b')]
    await createRule(of, ruleUpdate(rule('aa')))
    expect(names()).toEqual([['a', 'b', 'aa']])
    expect(sent[0]?.[0]).not.toHaveProperty('id')
    expect(sent[0]?.[0]).not.toHaveProperty('time_created')
  })

  it('sends nothing when the name has been taken meanwhile', async () => {
    stored = [rule('a')]
    await expect(createRule(of, ruleUpdate(rule('a')))).rejects.toThrow(NAME_TAKEN)
    expect(sent).toEqual([])
  })
})

describe('replacing a rule', () => {
  it('keeps what others have changed meanwhile beside it', async () => {
    const seen = rule('a')
    // Each change gives all rules new ids, and may spell an empty list as none.
    stored = [
      rule('a', { id: 'new', filters: { hosts: [], ports: [], protocols: [] } }),
      rule('theirs'),
    ]
    await replaceRule(of, seen, ruleUpdate(rule('renamed')))
    expect(names()).toEqual([['theirs', 'renamed']])
  })

  it('says what has changed meanwhile, and sends nothing', async () => {
    stored = [rule('a', { priority: 7, filters: { ports: ['22'] } })]
    const replacing = replaceRule(of, rule('a'), ruleUpdate(rule('a')))
    await expect(replacing).rejects.toThrow(
      'The rule a has changed since you opened it: priority and port filters. Submit again to overwrite it with the values in this form.',
    )
    await expect(replacing).rejects.toMatchObject({ current: { priority: 7 } })
    expect(sent).toEqual([])
  })

  it('says when it is gone, and sends nothing', async () => {
    const replacing = replaceRule(of, rule('a'), ruleUpdate(rule('a')))
    await expect(replacing).rejects.toThrow(
      'The rule a has been deleted. Submit again to recreate it.',
    )
    await expect(replacing).rejects.toBeInstanceOf(RuleChangedError)
    await expect(replacing).rejects.toMatchObject({ current: undefined })
    expect(sent).toEqual([])
  })

  it('refuses the name of another rule', async () => {
    stored = [rule('a'), rule('b')]
    await expect(replaceRule(of, rule('a'), ruleUpdate(rule('b')))).rejects.toThrow(NAME_TAKEN)
    expect(sent).toEqual([])
  })
})

describe('deleting a rule', () => {
  it('keeps the others, the new ones as well', async () => {
    stored = [rule('a', { id: 'new' }), rule('b'), rule('theirs')]
    await deleteRule(of, rule('a'))
    expect(names()).toEqual([['b', 'theirs']])
  })

  it('is done when somebody else has done it', async () => {
    stored = [rule('b')]
    await deleteRule(of, rule('a'))
    expect(sent).toEqual([])
  })

  it('refuses one that is not what was seen', async () => {
    stored = [rule('a', { action: 'deny' })]
    await expect(deleteRule(of, rule('a'))).rejects.toThrow(
      'The rule a has changed since you opened it: action. Review it before you delete it.',
    )
    expect(sent).toEqual([])
  })
})

describe('renaming the VPC in its rules', () => {
  it('puts its name in the place of every other', async () => {
    stored = [rule('a', { targets: [{ type: 'vpc', value: 'old' }] }), rule('b')]
    await renameVpcInRules(of)
    expect(sent[0]?.[0]).toMatchObject({ targets: [{ type: 'vpc', value: 'prod' }] })
    expect(names()).toEqual([['a', 'b']])
  })
})
