import { goToNextChunk, goToPreviousChunk, MergeView, unifiedMergeView } from '@codemirror/merge'
import { EditorState } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { useEffect, useRef, useState } from 'react'
import { viewing, wrapping } from './code-setup.ts'

/** Two versions of a text, with the names of their views for screen readers. */
export type Sides = Readonly<{ before: string; beforeName: string; now: string; nowName: string }>

/** The width below which the two versions do not fit beside each other, in pixels: they are one text with its differences. */
const narrow = '(max-width: 46em)'

/**
 * Draws the differences into an element.
 * @param sides must be the same object in each rendering, as long as the texts are the same
 * @returns its reference, and what goes to the next or previous difference
 */
export function useDifferences(sides: Sides) {
  const place = useRef<HTMLDivElement>(null)
  const [shown, setShown] = useState<EditorView>()
  const isNarrow = matchMedia(narrow).matches
  useEffect(() => {
    if (!place.current) return
    const parent = place.current
    const { before, beforeName, now, nowName } = sides
    const isFixed = [EditorState.readOnly.of(true), wrapping(isNarrow)]
    if (isNarrow) {
      const unified = unifiedMergeView({ original: before, mergeControls: false, gutter: true })
      const only = new EditorView({ doc: now, parent, extensions: [viewing(nowName), isFixed, unified] })
      setShown(only)
      return () => only.destroy()
    }
    const merge = new MergeView({
      a: { doc: before, extensions: [viewing(beforeName), isFixed] },
      b: { doc: now, extensions: [viewing(nowName), isFixed] },
      parent,
      gutter: false,
    })
    setShown(merge.b)
    return () => merge.destroy()
  }, [sides, isNarrow])
  const step = (by: 1 | -1) => {
    if (!shown) return
    const move = by === 1 ? goToNextChunk : goToPreviousChunk
    move(shown)
    shown.focus()
  }
  return [place, step] as const
}
