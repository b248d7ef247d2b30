import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { beforeEach, describe, expect, it } from 'vitest'

import { configureTransport } from '~/api/client'
import { queryClient } from '~/api/query-client'
import { useRefusal } from '~/ui/refusal-context'

import { InView } from './authenticated-layout'
import { RightsOn } from './rights-on'
import { loadSession } from './session'

type Role = { on: string; role: string }

/** What the server answers, by the query of the question. */
let answers: Record<string, { allowed?: string[]; refused?: Record<string, Role[]> }>
let asked: string[]
/** Whom the session views Croft as. */
let viewed: string | undefined
/** Who the server says can give roles. */
let administrators: object[]

beforeEach(async () => {
  queryClient.clear()
  administrators = []
  asked = []
  viewed = undefined
  answers = {
    'on=fleet': { refused: { silo_create: [{ on: 'fleet', role: 'collaborator' }] } },
    'on=silo': {
      allowed: ['image_create'],
      refused: {
        project_create: [{ on: 'silo', role: 'collaborator' }],
        policy_update: [
          { on: 'silo', role: 'admin' },
          { on: 'fleet', role: 'collaborator' },
        ],
      },
    },
    'on=silo&silo=myriad': {
      refused: {
        local_idp_user_create: [
          { on: 'silo', role: 'admin' },
          { on: 'fleet', role: 'admin' },
        ],
      },
    },
    'on=project&project=shop': {
      allowed: ['disk_create'],
      refused: { image_create: [{ on: 'project', role: 'collaborator' }] },
    },
    'on=user&user=ada': { refused: { access_token_delete: [] } },
  }
  configureTransport({
    fetch: (url) => {
      const { pathname, searchParams } = new URL(url, 'http://cloud')
      if (pathname === '/v1/me') return Promise.resolve(Response.json({ silo_name: 'maze' }))
      if (pathname === '/experimental/v1/view-as') {
        const time = '2026-01-01T00:00:00Z'
        const user = { id: viewed, display_name: viewed }
        const possible_operations = ['image_list', 'view_as_end', 'vpc_trace']
        const viewing = viewed
          ? { user, time_begun: time, time_ends: time, possible_operations }
          : null
        return Promise.resolve(Response.json({ viewing }))
      }
      asked.push(String(searchParams))
      const answer = answers[String(searchParams)]
      if (!answer) return Promise.resolve(Response.json({}, { status: 404 }))
      const refused = Object.entries(answer.refused ?? {})
      return Promise.resolve(
        Response.json({
          allowed: answer.allowed ?? [],
          refused: refused.map(([operation, roles]) => ({ operation, roles })),
          administrators,
        }),
      )
    },
  })
  await loadSession(queryClient)
})

function Control({ needs, method }: { needs: string; method?: string }) {
  return <p>{useRefusal()({ name: needs, method }) ?? 'allowed'}</p>
}

type Objects = Parameters<typeof RightsOn>[0]['object'][]

/** Shows what is said of a control inside of these objects, the outermost first. */
function show(needs: string, objects: Objects, isSystem = false) {
  const inside = objects.reduceRight(
    (content, object) => <RightsOn object={object}>{content}</RightsOn>,
    <Control needs={needs} />,
  )
  return render(
    <QueryClientProvider client={queryClient}>
      <RightsOn object={{ on: 'fleet' }} isSystem={isSystem}>
        {inside}
      </RightsOn>
    </QueryClientProvider>,
  )
}

describe('what a control is refused', () => {
  it('is what the server refuses on the object of the screen, with the role that is missing', async () => {
    show('projectCreate', [{ on: 'silo' }])
    await screen.findByText(
      'You need the collaborator role on silo maze. Its admins can give it to you.',
    )
  })

  it('is decided by the nearest object that knows of the operation', async () => {
    const { unmount } = show('imageCreate', [{ on: 'silo' }])
    await waitFor(() => expect(asked).toContain('on=silo'))
    screen.getByText('allowed')
    unmount()
    show('imageCreate', [{ on: 'silo' }, { on: 'project', project: 'shop' }])
    await screen.findByText(/^You need the collaborator role on project shop\./)
  })

  it('is decided by the object around where the nearer one does not know of the operation', async () => {
    show('siloCreate', [{ on: 'project', project: 'shop' }])
    await screen.findByText(/^You need the collaborator role on the fleet\./)
  })

  it('names the nearest role: to a collaborator of the fleet the one on the silo', async () => {
    show('policyUpdate', [{ on: 'silo' }])
    await screen.findByText(/^You need the admin role on silo maze\./)
  })

  it('names the role on the fleet on the screens of operators', async () => {
    show('localIdpUserCreate', [{ on: 'silo', silo: 'myriad' }], true)
    await screen.findByText(/^You need the admin role on the fleet\./)
  })

  it('names who can give the role, the nearest of those who can', async () => {
    const admin = (name: string, type = 'silo_user') => ({
      identity_type: type,
      display_name: name,
      id: name,
    })
    const all = [admin('ada'), admin('bob'), admin('operators', 'silo_group'), admin('writers')]
    administrators = [
      { on: 'project', total: 1, first: [admin('pat')] },
      { on: 'silo', total: 6, first: all },
    ]
    const { unmount } = show('imageCreate', [{ on: 'project', project: 'shop' }])
    await screen.findByText(/ pat can give it to you\.$/)
    unmount()
    show('projectCreate', [{ on: 'silo' }])
    await screen.findByText(/ ada, bob, members of operators or 3 others can give it to you\.$/)
  })

  it('can be what no role allows', async () => {
    show('accessTokenDelete', [{ on: 'user', user: 'ada' }])
    await screen.findByText('Only the owner can do this.')
  })

  it('is nothing where the object is gone, which the screen itself says', async () => {
    show('diskCreate', [{ on: 'project', project: 'gone' }])
    await waitFor(() => expect(asked).toContain('on=project&project=gone'))
    screen.getByText('allowed')
  })

  it('changes with the answer', async () => {
    show('projectCreate', [{ on: 'silo' }])
    await screen.findByText(/^You need/)
    answers['on=silo'] = { allowed: ['project_create'] }
    await queryClient.invalidateQueries({ queryKey: ['currentUserPermissionsView'] })
    await screen.findByText('allowed')
  })

  it('is asked once, however many controls there are', async () => {
    render(
      <QueryClientProvider client={queryClient}>
        <RightsOn object={{ on: 'silo' }}>
          <Control needs="projectCreate" />
          <Control needs="imageCreate" />
        </RightsOn>
      </QueryClientProvider>,
    )
    await screen.findByText(/^You need/)
    expect(asked).toEqual(['on=fleet', 'on=silo'])
  })
})

describe('what a control is refused while an administrator views as somebody', () => {
  const held = 'You see Croft as ada. Stop viewing to change something.'

  async function showInView(controls: ReactNode) {
    viewed = 'ada'
    queryClient.clear()
    await loadSession(queryClient)
    return render(
      <QueryClientProvider client={queryClient}>
        <InView>
          <RightsOn object={{ on: 'silo' }}>{controls}</RightsOn>
        </InView>
      </QueryClientProvider>,
    )
  }

  it('is what would change something, though the role is there', async () => {
    await showInView(<Control needs="imageCreate" method="POST" />)
    await screen.findByText(held)
  })

  it('is what no role is needed for', async () => {
    await showInView(<Control needs="labelsUpdate" method="PUT" />)
    await screen.findByText(held)
  })

  it('is not what only reads', async () => {
    await showInView(
      <>
        <Control needs="imageList" method="GET" />
        <Control needs="vpcTrace" method="POST" />
        <Control needs="viewAsEnd" method="DELETE" />
      </>,
    )
    expect(screen.getAllByText('allowed')).toHaveLength(3)
  })

  it('has the reason that the user sees, where a role is missing', async () => {
    await showInView(<Control needs="projectCreate" method="POST" />)
    await screen.findByText(/^You need the collaborator role on silo maze\./)
  })
})
