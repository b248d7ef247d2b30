import { Boxes, Building2, Cpu, Database, Layers, MousePointerClick, Palette } from 'lucide-react'
import { useState } from 'react'

import { Charts } from '~/gallery/charts'
import { Controls } from '~/gallery/controls'
import { Data } from '~/gallery/data'
import { Feedback } from '~/gallery/feedback'
import { Foundations } from '~/gallery/foundations'
import { Overlays } from '~/gallery/overlays'
import { Fields, FormShells, SubForms } from '~/gallery/sections-forms'
import { PaletteShell, TableShell, TableStates } from '~/gallery/sections-table'
import { Breadcrumbs } from '~/ui/breadcrumbs'
import { Button } from '~/ui/button'
import { ConfirmHost } from '~/ui/confirm'
import { Identicon } from '~/ui/identicon'
import { PageFrame } from '~/ui/page-frame'
import { PageHeader } from '~/ui/page-header'
import type { SidebarSection } from '~/ui/sidebar'
import { Sidebar } from '~/ui/sidebar'
import { SkipLink } from '~/ui/skip-link'
import { toast, ToastStack } from '~/ui/toast'
import { ScopePicker, TopBar, UserMenu } from '~/ui/top-bar'

const sections: SidebarSection[] = [
  { links: [{ label: 'Docs', href: 'https://example.test/docs', icon: Layers }] },
  {
    heading: 'Gallery',
    label: 'Gallery navigation',
    links: [
      { label: 'Foundations', href: '#colour', icon: Palette },
      { label: 'Controls', href: '#button', icon: MousePointerClick },
      { label: 'Overlays', href: '#dialog', icon: Layers },
      { label: 'Feedback', href: '#message', icon: Boxes },
      { label: 'Data', href: '#properties-table', icon: Database },
    ],
  },
]

/** Shows a theme for as long as the page is open; the console itself remembers the choice. */
function showTheme(choice: string) {
  const system = window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  document.documentElement.dataset.theme = choice === 'system' ? system : choice
}

/** Every primitive in its states, inside the real frame of the console. For development only. */
export function Gallery() {
  const [isCollapsed, setCollapsed] = useState(false)
  const [isDrawerOpen, setDrawerOpen] = useState(false)
  const [scope, setScope] = useState('silo')
  const [theme, setTheme] = useState('system')
  return (
    <>
      <SkipLink />
      <PageFrame
        topBar={
          <TopBar
            home={{
              heading: 'Silo',
              label: 'maze-war',
              href: '#colour',
              icon: <Identicon name="maze-war" />,
            }}
            pickers={
              <ScopePicker
                label="Switch between system and silo"
                choice="Scope"
                selected={scope}
                onSelect={setScope}
                options={[
                  { id: 'system', label: 'System', icon: Cpu },
                  { id: 'silo', label: 'Silo', icon: Building2 },
                ]}
              />
            }
            breadcrumbs={
              <Breadcrumbs
                crumbs={[
                  { label: 'Projects', href: '#colour' },
                  { label: 'web-shop', href: '#button' },
                  { label: 'Gallery', href: '#dialog' },
                ]}
              />
            }
            onJumpTo={() =>
              toast({ variant: 'info', content: 'Jump to is not part of this page.' })
            }
            onOpenSidebar={() => setDrawerOpen(true)}
            userMenu={
              <UserMenu
                displayName="Hannah Arendt"
                settingsHref="#colour"
                theme={{
                  selected: theme,
                  onSelect: (choice) => {
                    setTheme(choice)
                    showTheme(choice)
                  },
                }}
                onSignOut={() => toast({ variant: 'info', content: 'Nobody is signed in here.' })}
              />
            }
          />
        }
        sidebar={
          <Sidebar
            sections={sections}
            currentPath="#button"
            isCollapsed={isCollapsed}
            onToggle={() => setCollapsed(!isCollapsed)}
            isDrawerOpen={isDrawerOpen}
            onCloseDrawer={() => setDrawerOpen(false)}
          />
        }
      >
        <PageHeader
          icon={<Boxes />}
          title="Gallery"
          docs={{
            heading: 'Learn about the gallery',
            summary: 'Every primitive of the design system with its states, in both themes.',
            links: [{ label: 'Look and feel', href: 'https://example.test/look' }],
          }}
          actions={<Button needs={null}>New primitive</Button>}
        />
        <Foundations />
        <Controls />
        <Overlays />
        <Feedback />
        <Data />
        <Charts />
        <Fields />
        <SubForms />
        <FormShells />
        <TableShell />
        <TableStates />
        <PaletteShell />
      </PageFrame>
      <ConfirmHost />
      <ToastStack />
    </>
  )
}
