import { useEffect, useState } from 'react'
import { HttpFailure } from '../api/http.ts'
import { useWorkspace } from '../core/use-workspace.ts'
import { languageOf, loadLanguage } from './code-setup.ts'
import { editorSlice } from './editor.ts'
import { readText } from './text-calls.ts'
import { TextDocument } from './text-document.ts'

/** What has become of opening a text. */
export type Opening =
  | { kind: 'loading' }
  | { kind: 'open'; document: TextDocument }
  /** The file has no text: it is binary, or too large. */
  | { kind: 'none' }
  | { kind: 'failed'; failure: HttpFailure }

/** Opens the text of a file, and closes it with the screen. @returns what has become of it, and what tries again */
export function useDocument(path: string): [Opening, () => void] {
  const workspace = useWorkspace()
  const [opening, setOpening] = useState<Opening>({ kind: 'loading' })
  const [attempt, setAttempt] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once more for each attempt
  useEffect(() => {
    const stopping = new AbortController()
    const { opened } = workspace.use(editorSlice)
    let document: TextDocument | undefined
    setOpening({ kind: 'loading' })
    readText(path, { signal: AbortSignal.any([stopping.signal, workspace.signal]) }).then(
      (file) => {
        if (stopping.signal.aborted) return
        if (!file) return setOpening({ kind: 'none' })
        document = new TextDocument(workspace, file)
        opened.value = document
        void document.drafts.look()
        setOpening({ kind: 'open', document })
      },
      (cause: unknown) => {
        if (stopping.signal.aborted) return
        setOpening({ kind: 'failed', failure: cause instanceof HttpFailure ? cause : new HttpFailure(0, String(cause)) })
      },
    )
    return () => {
      stopping.abort()
      document?.dispose()
      if (document && opened.peek() === document) opened.value = undefined
    }
  }, [workspace, path, attempt])
  return [opening, () => setAttempt(attempt + 1)]
}

/** Loads the highlighting for the file's name. @returns the name of its language */
export function useLanguage(document: TextDocument): string | undefined {
  const [name, setName] = useState<string>()
  useEffect(() => {
    const description = languageOf(document.name)
    setName(description?.name)
    if (!description) return
    let isWanted = true
    // Without its colours the text is as useful.
    loadLanguage(description)
      .then((language) => isWanted && document.setLanguage(language))
      .catch(() => undefined)
    return () => {
      isWanted = false
    }
  }, [document])
  return name
}
