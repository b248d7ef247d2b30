import { useEffect, useState } from 'react'

import * as errors from '~/messages/errors'
import * as text from '~/messages/login'

import { LoginLayout } from './login-layout'
import { findSilo, listSilos, localPath, providerPath } from './login-options'
import type { ListedSilo, SiloOptions } from './login-options'
import { ProviderChoice } from './provider-choice'
import { QuietButton } from './quiet-button'
import { keepRedirect } from './redirect-target'
import { SiloList, SiloListSkeleton } from './silo-list'
import { SiloNameForm } from './silo-name-form'

const leaveFor = (path: string) =>
  window.location.assign(keepRedirect(path, window.location.search))

/** `/login`: a person says which silo to sign in to, and how when there are several ways. */
export function SiloChooser() {
  const silos = useSilos()
  const [isTyping, setTyping] = useState(false)
  const [options, setOptions] = useState<SiloOptions>()
  const [problem, setProblem] = useState<string>()

  const choose = async (silo: string) => {
    setProblem(undefined)
    // A server that does not list its silos has only local login.
    if (silos === null) {
      leaveFor(localPath(silo))
      return
    }
    const answer = await findSilo(silo)
    if (answer.type === 'unknown') setProblem(text.unknownSiloError)
    else if (answer.type === 'unreachable') {
      setProblem(errors.unreachableError)
    } else {
      const path = onlyWay(answer.options)
      if (path) leaveFor(path)
      else setOptions(answer.options)
    }
  }

  if (options) return <ProviderChoice options={options} onBack={() => setOptions(undefined)} />
  const isListed = silos !== null && (silos === undefined || silos.length > 0)
  return (
    <LoginLayout>
      <h1 className="text-xl font-semibold">{text.chooserTitle}</h1>
      <p className="mt-1 text-fg-muted">{text.siloHelp}</p>
      <hr className="my-6 border-line" />
      {isListed && !isTyping ? (
        <>
          {silos ? (
            <SiloList silos={silos} problem={problem} onChoose={choose} />
          ) : (
            <SiloListSkeleton />
          )}
          <QuietButton
            onPress={() => {
              setProblem(undefined)
              setTyping(true)
            }}
          >
            {text.notListedLabel}
          </QuietButton>
        </>
      ) : (
        <>
          <SiloNameForm
            problem={problem}
            onChange={() => setProblem(undefined)}
            onChoose={choose}
            isEmpty={isTyping}
          />
          {isListed && (
            <QuietButton
              onPress={() => {
                setProblem(undefined)
                setTyping(false)
              }}
            >
              {text.backToListLabel}
            </QuietButton>
          )}
        </>
      )}
    </LoginLayout>
  )
}

/** The login page of a silo with only one way to sign in. */
export function onlyWay({ silo, identityMode, providers }: SiloOptions): string | undefined {
  if (identityMode === 'local_only') return localPath(silo)
  const [first, ...others] = providers
  return first !== undefined && others.length === 0 ? providerPath(silo, first) : undefined
}

/** The discoverable silos: `undefined` while loading, `null` if the server does not list them. */
function useSilos(): ListedSilo[] | null | undefined {
  const [silos, setSilos] = useState<ListedSilo[] | null>()
  useEffect(() => {
    const leaving = new AbortController()
    void listSilos(leaving.signal).then((listed) => {
      if (!leaving.signal.aborted) setSilos(listed)
    })
    return () => leaving.abort()
  }, [])
  return silos
}
