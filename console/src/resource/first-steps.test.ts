import { beforeEach, describe, expect, it } from 'vitest'

import { dismissedProjects, dismissFirstSteps, stepsDone } from './first-steps'

const nothing = { images: [], sshKeys: [], instances: [], rules: [] }

describe('a step', () => {
  it('is done when there is what it makes', () => {
    expect(stepsDone(nothing)).toEqual({
      image: false,
      'ssh-key': false,
      instance: false,
      firewall: false,
    })
    expect(stepsDone({ ...nothing, images: [1] }).image).toBe(true)
    expect(stepsDone({ ...nothing, sshKeys: [1] })['ssh-key']).toBe(true)
    expect(stepsDone({ ...nothing, instances: [1] }).instance).toBe(true)
  })

  it('of the firewall is done with a rule that a new VPC does not have', () => {
    const rules = [{ name: 'allow-ssh' }, { name: 'allow-icmp' }]
    expect(stepsDone({ ...nothing, rules }).firewall).toBe(false)
    expect(stepsDone({ ...nothing, rules: [...rules, { name: 'web' }] }).firewall).toBe(true)
  })
})

describe('what was dismissed', () => {
  beforeEach(() => localStorage.clear())

  it('is remembered for each person and project', () => {
    dismissFirstSteps('ada', 'p1')
    dismissFirstSteps('ada', 'p2')
    dismissFirstSteps('ada', 'p2')
    expect(dismissedProjects('ada')).toEqual(['p1', 'p2'])
    expect(dismissedProjects('eve')).toEqual([])
  })

  it('is nothing if what the browser keeps is broken', () => {
    localStorage.setItem('croft-first-steps-ada', '{"p1":')
    expect(dismissedProjects('ada')).toEqual([])
  })
})
