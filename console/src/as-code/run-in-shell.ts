import { execFileSync } from 'node:child_process'

/** What a program was called with. */
interface Run {
  words: string[]
  /** What it read from a here-document. */
  input: string
}

/** Runs a command in a real shell, with a function that tells its words in place of the program. For tests. */
export function runInShell(
  program: 'croft' | 'curl',
  command: string,
  variables: Record<string, string> = {},
): Run {
  const script = `${program}() { printf '%s\\0' "$@"; printf '\\0'; cat; }\n${command}\n`
  const output = execFileSync('sh', ['-c', script], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, ...variables },
    input: '',
  })
  const [words = '', input = ''] = output.split('\0\0')
  return { words: words.split('\0'), input }
}
