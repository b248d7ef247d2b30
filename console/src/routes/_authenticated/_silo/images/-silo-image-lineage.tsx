import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'

import type { Image, Project } from '~/api/generated/types.gen'
import * as text from '~/messages/lineage'
import { descendantsOf, diskThing, imageThing } from '~/resource/lineage'
import { Descendants } from '~/resource/lineage-card'
import { disksOf } from '~/resource/lineage-queries'
import { Button } from '~/ui/button'
import { CardBlock } from '~/ui/card-block'
import { Link } from '~/ui/link'
import { Skeleton } from '~/ui/skeleton'

/** With more projects than this, their disks are fetched only when asked for: it is one request for each. */
const SEARCHED_AT_ONCE = 10

interface SiloImageLineageProps {
  image: Image
  /** The projects that the person can view. */
  projects: readonly Project[]
}

/** The disks that were created from an image of the silo, by project. */
export function SiloImageLineage({ image, projects }: SiloImageLineageProps) {
  const [isAsked, setAsked] = useState(false)
  const isSearched = isAsked || projects.length <= SEARCHED_AT_ONCE
  return (
    <CardBlock title={text.lineageTitle} footer={text.noSourceText.image}>
      <h3 className="mb-1.5 text-label text-fg-subtle">{text.madeTitle.image}</h3>
      {isSearched ? (
        <FoundDisks image={image} projects={projects} />
      ) : (
        <Button needs={null} variant="secondary" size="sm" onPress={() => setAsked(true)}>
          {text.searchProjectsLabel(projects.length)}
        </Button>
      )}
    </CardBlock>
  )
}

function FoundDisks({ image, projects }: SiloImageLineageProps) {
  const answers = useQueries({ queries: projects.map(({ name }) => disksOf(name)) })
  const found = projects.flatMap(({ id, name }, index) => {
    const disks = answers[index]?.data?.items ?? []
    const made = descendantsOf(imageThing(image), disks.map(diskThing))
    return made.length > 0 ? [{ id, name, made }] : []
  })
  const isPending = answers.some((answer) => answer.isPending)
  return (
    <div className="space-y-3">
      {found.map(({ id, name, made }) => (
        <section key={id} aria-label={text.projectLabel(name)}>
          <Link
            href={`/projects/${name}/disks`}
            className="rounded-sm text-sm text-fg-muted underline decoration-line-strong underline-offset-3 hover:decoration-current"
          >
            {text.projectLabel(name)}
          </Link>
          <Descendants made={made} project={name} />
        </section>
      ))}
      {isPending && <Skeleton />}
      {!isPending && found.length === 0 && (
        <p className="py-1 text-sm text-fg-muted">{text.noDisksText}</p>
      )}
    </div>
  )
}
