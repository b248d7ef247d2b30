import { useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'

import { ApiError } from '~/api/errors'
import { saveText } from '~/lib/save-file'
import * as text from '~/messages/as-code-export'
import { Button } from '~/ui/button'
import { confirm } from '~/ui/confirm'
import { Message } from '~/ui/message'
import { Spinner } from '~/ui/spinner'

import { exportScript } from './export-script'
import { exportTerraform } from './export-terraform'
import { exportProject } from './project-export'

/** Opens a dialog that offers a project as files. */
export function openExport(project: string): void {
  confirm({ title: text.exportTitle, body: <ProjectExportFiles project={project} /> })
}

function ProjectExportFiles({ project }: { project: string }) {
  const { data, error } = useQuery({
    queryKey: ['as-code', 'export', project],
    queryFn: () => exportProject(project),
    retry: false,
    // It is read when it is opened: the files are to have what is there.
    gcTime: 0,
    staleTime: Infinity,
  })
  if (error) {
    return (
      <Message tone="danger" title={text.failedTitle}>
        {error instanceof ApiError ? error.message : text.failedError}
      </Message>
    )
  }
  if (!data) return <Spinner />
  const save = (name: string, type: string, content: string) =>
    saveText(`${project}.${name}`, type, content)
  return (
    <div className="w-xl max-w-full space-y-4">
      <p>{text.exportHelp}</p>
      <div className="space-y-2">
        <h3 className="text-sm font-medium text-fg">{text.limitsTitle}</h3>
        <ul className="ml-4 list-disc space-y-1 text-sm">
          {data.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button
          needs={null}
          size="sm"
          onPress={() => save('tf', 'text/plain', exportTerraform(data))}
        >
          <Download aria-hidden="true" />
          {text.saveTerraformLabel}
        </Button>
        <Button
          needs={null}
          size="sm"
          onPress={() =>
            save('sh', 'text/x-shellscript', exportScript(data, window.location.origin))
          }
        >
          <Download aria-hidden="true" />
          {text.saveScriptLabel}
        </Button>
      </div>
    </div>
  )
}
