import { readdirSync, readFileSync } from 'node:fs'

import { expect, it } from 'vitest'

// Every form shows what it sends as code. The shells of forms make each say which calls those are; this finds the forms that say none.

const PART = 'It sends nothing: what is entered becomes a part of the form that opened it.'
const SESSION_ONLY = 'The server takes it from a session only, so that no program can send it.'
const SIGN_IN = 'It signs in, which programs do with a token.'
const LOCAL = 'It sends nothing.'

/** The forms without code, and why. */
const WITHOUT: Readonly<Record<string, string>> = {
  'app/label-filter.tsx': LOCAL,
  'app/view-name-dialog.tsx': 'It sends nothing: views are kept by the browser.',
  'login/login-form.tsx': SIGN_IN,
  'login/silo-name-form.tsx': SIGN_IN,
  'resource/certificate-dialog.tsx': PART,
  'resource/image-use-dialog.tsx': 'It sends nothing: it opens the form for what is chosen.',
  'resource/own-password-change.tsx': SESSION_ONLY,
  'resource/second-factor-passkey.tsx': SESSION_ONLY,
  'resource/second-factor-totp.tsx': SESSION_ONLY,
  'routes/_authenticated/projects/$project/-instance-disk-fields.tsx': PART,
  'routes/_authenticated/projects/$project/-instance-floating-ip-fields.tsx': PART,
  'routes/_authenticated/projects/$project/-instance-group-fields.tsx': PART,
  'routes/_authenticated/projects/$project/-instance-network-fields.tsx': PART,
  'routes/_authenticated/projects/$project/instances/$instance/-type-text.tsx':
    'It makes no call: keystrokes go to the console that is connected.',
  'routes/_authenticated/settings/sign-in.tsx': SESSION_ONLY,
  'routes/device/verify.tsx': SIGN_IN,
}

/** The shells of forms, and what has none of the product's forms. */
const NOT_FORMS = /^(ui\/form|gallery)\/|\.test\.tsx$/

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.tsx') && !NOT_FORMS.test(path))
  .map((path) => ({ path, source: readFileSync(`src/${path}`, 'utf8') }))

/** Whether a file has a form that shows no code: one that says so, or one without the shells that shows none by itself. */
const lacksCode = (source: string): boolean =>
  /\bcalls(=\{|: )null\b/.test(source) ||
  (/<form\b/.test(source) && !/<AsCode\b/.test(source)) ||
  (hasFields(source) && !hasShell(source))

/** Fields in a dialog without a form, which nothing but this would find. */
const hasFields = (source: string): boolean =>
  /<(Dialog|SideModal)\b|\bconfirm\(\{/.test(source) &&
  /<(input|textarea|select|[A-Z]\w*(Field|Input|Area))\b/.test(source)

const hasShell = (source: string): boolean =>
  /<(form|FormElement|ModalForm|SideModalForm|FullPageForm|Shell)\b/.test(source)

it('finds forms', () => {
  const forms = sources.filter(({ source }) => hasShell(source))
  expect(forms.length).toBeGreaterThan(60)
})

it('shows every form as code that is not listed here', () => {
  const found = sources.filter(({ source }) => lacksCode(source)).map(({ path }) => path)
  expect(found.toSorted()).toEqual(Object.keys(WITHOUT).toSorted())
})
