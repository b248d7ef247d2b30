import { render, screen } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'

import { MachinesBadge, machinesNote } from './machines-note'

const written = (content: string) => {
  document.head.innerHTML = `<meta name="croft-machines" content="${content}">`
}

afterEach(() => {
  document.head.innerHTML = ''
})

describe('MachinesBadge', () => {
  it('says that machines are simulated', () => {
    written('simulated Machines are simulated (as configured): no real guests run.')
    render(<MachinesBadge />)
    const badge = screen.getByTitle(/^Machines are simulated \(as configured\)/)
    expect(badge.textContent).toMatch(/^simulatedMachines are simulated \(as configured\)/)
  })

  it('says how real machines run', () => {
    written('qemu Machines run on this host with QEMU, with KVM.')
    expect(machinesNote()).toEqual({
      label: 'QEMU',
      text: 'Machines run on this host with QEMU, with KVM.',
    })
  })

  it('is not there where no server wrote anything', () => {
    written('')
    expect(render(<MachinesBadge />).container.innerHTML).toBe('')
    document.head.innerHTML = ''
    expect(machinesNote()).toBeUndefined()
  })
})
