import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'

import { tryForBlob } from '~/api/files'
import { instanceGraphicalConsolePicture } from '~/api/generated/operations'
import type { Instance } from '~/api/generated/types.gen'
import { atMost } from '~/lib/at-most'
import * as text from '~/messages/instance-columns'
import { useIsOnScreen } from '~/ui/use-is-on-screen'

import { instanceCan } from './instance-state'

/** Rows of a list wait for one another. */
const inTurn = atMost(2)

interface ScreenPictureProps {
  instance: Pick<Instance, 'name' | 'runState'>
  /** Name of the project. */
  project: string
  /** Milliseconds from one picture to the next. */
  interval: number
}

/** What the screen of a running instance shows: fetched now and then while somebody looks, which is when the page and the place are in sight. */
export function ScreenPicture({ instance, project, interval }: ScreenPictureProps) {
  const place = useRef<HTMLDivElement>(null)
  const isOnScreen = useIsOnScreen(place)
  const input = { path: { instance: instance.name }, query: { project } }
  const { data, isError } = useQuery({
    queryKey: [instanceGraphicalConsolePicture.name, input],
    queryFn: ({ signal }) =>
      inTurn(() => tryForBlob(instanceGraphicalConsolePicture, input, signal), signal),
    enabled: isOnScreen && instanceCan('serialConsole', instance),
    refetchInterval: interval,
    staleTime: interval,
    // A picture of the past helps nobody.
    gcTime: 0,
    retry: false,
    throwOnError: false,
  })
  return (
    <div ref={place} className="bg-black flex size-full items-center justify-center">
      {isError || data === null ? (
        <span className="text-white/80 p-2 text-center text-xs">{text.noPictureText}</span>
      ) : (
        data && <Picture content={data} label={text.screenOfInstanceLabel(instance.name)} />
      )}
    </div>
  )
}

/** Draws a file of a picture. An image element would need an address that the page may load from. */
function Picture({ content, label }: { content: Blob; label: string }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    let isWanted = true
    void createImageBitmap(content)
      .then((bitmap) => {
        const place = canvas.current
        if (place && isWanted) {
          place.width = bitmap.width
          place.height = bitmap.height
          place.getContext('2d')?.drawImage(bitmap, 0, 0)
        }
        bitmap.close()
      })
      // What is no picture leaves the last one.
      .catch(() => undefined)
    return () => {
      isWanted = false
    }
  }, [content])
  return (
    <canvas
      ref={canvas}
      role="img"
      aria-label={label}
      width={0}
      height={0}
      className="max-h-full max-w-full"
    />
  )
}
