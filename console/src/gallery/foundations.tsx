import { Row, Specimen } from '~/gallery/specimen'
import { Identicon } from '~/ui/identicon'
import { Mark } from '~/ui/mark'

const neutrals = Array.from({ length: 12 }, (_, index) => `--color-neutral-${index + 1}`)
const surfaces = ['canvas', 'chrome', 'raised', 'sunken', 'field', 'hover', 'pressed', 'selected']
const tones = ['neutral', 'accent', 'success', 'notice', 'danger', 'info', 'violet']

function Swatch({ variable, label }: { variable: string; label: string }) {
  return (
    <div className="w-16">
      <div
        className="h-8 rounded-sm border border-line"
        style={{ background: `var(${variable})` }}
      />
      <div className="mt-1 truncate text-2xs text-fg-subtle">{label}</div>
    </div>
  )
}

function Tone({ name }: { name: string }) {
  const color = (step: string) => `var(--color-${name}-${step})`
  return (
    <div className="grid w-44 gap-1 text-xs">
      <div
        className="rounded-sm border px-2 py-1"
        style={{ background: color('bg'), borderColor: color('border'), color: color('text') }}
      >
        {name} text
      </div>
      <div
        className="rounded-sm px-2 py-1"
        style={{ background: color('solid'), color: color('on') }}
      >
        {name} solid
      </div>
    </div>
  )
}

/** Colours, type and the mark. */
export function Foundations() {
  return (
    <>
      <Specimen title="Colour">
        <Row label="Neutral">
          {neutrals.map((variable, index) => (
            <Swatch key={variable} variable={variable} label={`${index + 1}`} />
          ))}
        </Row>
        <Row label="Surfaces">
          {surfaces.map((name) => (
            <Swatch key={name} variable={`--color-${name}`} label={name} />
          ))}
        </Row>
        <Row label="Tones">
          {tones.map((name) => (
            <Tone key={name} name={name} />
          ))}
        </Row>
        <Row label="Text">
          <span className="text-fg">fg</span>
          <span className="text-fg-muted">fg-muted</span>
          <span className="text-fg-subtle">fg-subtle</span>
          <span className="text-fg-disabled">fg-disabled</span>
        </Row>
      </Specimen>
      <Specimen title="Type">
        <Row label="Page title, 20">
          <span className="text-xl font-semibold">Instances 0123456789</span>
        </Row>
        <Row label="Body, 14">
          <span className="text-base">Virtual machines of this project.</span>
        </Row>
        <Row label="Controls, 13">
          <span className="text-sm">Create instance</span>
        </Row>
        <Row label="Mono, 12">
          <span className="font-mono text-xs">172.30.0.10/22 · 5c56b…ec3e0 · 1,023 GiB</span>
        </Row>
        <Row label="Label, 11">
          <span className="text-label">Time created</span>
        </Row>
      </Specimen>
      <Specimen title="Mark and identicon">
        <Row label="Mark">
          <Mark className="size-4" />
          <Mark className="size-6 text-accent-text" />
          <Mark className="size-12 text-accent-text" />
        </Row>
        <Row label="Identicon">
          {['maze-war', 'myriad', 'default', 'north', 'a', ''].map((name) => (
            <Identicon key={name} name={name} />
          ))}
        </Row>
      </Specimen>
    </>
  )
}
