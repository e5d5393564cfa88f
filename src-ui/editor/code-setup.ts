// What the text editor is made of: CodeMirror with the colours and words of the page.
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import {
  bracketMatching,
  HighlightStyle,
  indentOnInput,
  LanguageDescription,
  type LanguageSupport,
  syntaxHighlighting,
} from '@codemirror/language'
import { languages } from '@codemirror/language-data'
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search'
import { Compartment, EditorState, type Extension } from '@codemirror/state'
import {
  drawSelection,
  dropCursor,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { t } from '../i18n/t.ts'

/** Parts of the set-up that change while the text is open. */
export const parts = {
  language: new Compartment(),
  wrap: new Compartment(),
  readOnly: new Compartment(),
  history: new Compartment(),
}

const colours = HighlightStyle.define([
  { tag: tags.comment, color: 'var(--text-faint)', fontStyle: 'italic' },
  { tag: [tags.keyword, tags.operatorKeyword, tags.atom, tags.bool, tags.null], color: 'var(--syntax-keyword)' },
  { tag: [tags.string, tags.special(tags.string), tags.regexp, tags.character], color: 'var(--syntax-string)' },
  { tag: [tags.number, tags.literal, tags.escape], color: 'var(--syntax-number)' },
  {
    tag: [tags.propertyName, tags.definition(tags.variableName), tags.typeName, tags.className, tags.attributeName],
    color: 'var(--syntax-name)',
  },
  { tag: [tags.tagName, tags.labelName, tags.meta, tags.processingInstruction], color: 'var(--syntax-tag)' },
  { tag: tags.heading, color: 'var(--syntax-name)', fontWeight: 'var(--weight-bold)' },
  { tag: tags.link, textDecoration: 'underline' },
  { tag: tags.strong, fontWeight: 'var(--weight-bold)' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.invalid, color: 'var(--danger-text)' },
])

/** The set-up of every view of a text: line numbers, colours, search. @param name of the file, for screen readers */
export function viewing(name: string): Extension {
  return [
    lineNumbers(),
    highlightSpecialChars(),
    drawSelection(),
    EditorState.allowMultipleSelections.of(true),
    syntaxHighlighting(colours),
    bracketMatching(),
    highlightSelectionMatches(),
    search({ top: true }),
    EditorState.phrases.of(phrases()),
    keymap.of([...searchKeymap, ...defaultKeymap]),
    EditorView.contentAttributes.of({
      'aria-label': name,
      tabindex: '0',
      translate: 'no',
      spellcheck: 'false',
      autocapitalize: 'off',
      autocorrect: 'off',
    }),
    EditorView.perLineTextDirection.of(true),
    parts.language.of([]),
  ]
}

/** What is added for a text that can be changed. */
export function editing(): Extension {
  return [
    parts.history.of(history()),
    dropCursor(),
    indentOnInput(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    // Escape and then Tab leaves the text.
    keymap.of([...historyKeymap, indentWithTab]),
  ]
}

export const readOnly = (isReadOnly: boolean): Extension => [EditorState.readOnly.of(isReadOnly)]
export const wrapping = (isOn: boolean): Extension => (isOn ? EditorView.lineWrapping : [])

/** The language of a file by its name; undefined when it is none of the known ones. */
export const languageOf = (name: string): LanguageDescription | undefined =>
  LanguageDescription.matchFilename(languages, name) ?? undefined

/** The highlighting of a language, whose code is loaded when it is first needed. @throws Error when it cannot be loaded */
export const loadLanguage = (description: LanguageDescription): Promise<LanguageSupport> => description.load()

/** The texts of the search and of *Go to line*, by the English ones of the packages. */
function phrases(): Record<string, string> {
  return {
    Find: t('editor.search.find'),
    Replace: t('editor.search.with'),
    next: t('editor.search.next'),
    previous: t('editor.search.previous'),
    all: t('editor.search.all'),
    'match case': t('editor.search.case'),
    regexp: t('editor.search.regexp'),
    'by word': t('editor.search.word'),
    replace: t('editor.search.replace'),
    'replace all': t('editor.search.replaceAll'),
    close: t('action.close'),
    'current match': t('editor.search.current'),
    'on line': t('editor.search.onLine'),
    'replaced match on line $': t('editor.search.replacedOnLine'),
    'replaced $ matches': t('editor.search.replaced'),
    'Go to line': t('editor.goToLine.title'),
    go: t('editor.goToLine.go'),
  }
}
