import { useEffect, useRef } from 'react'
import { blocksBelow } from '../../src-server/contract/blocks-below.ts'
import { t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { FieldError } from '../ui/field.tsx'
import { Icon } from '../ui/icon.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { view } from '../ui/view.tsx'
import { newRule, type RuleDraft } from './user-draft.ts'

type Props = {
  rules: readonly RuleDraft[]
  onRules: (rules: readonly RuleDraft[]) => void
  /** What the server refused: the key of the rule, and why. */
  problem?: { key: number; text: string } | undefined
}

/** The rules of a user or of everybody, one in each row. The last that matches a path decides. */
export const RulesEditor = view(function RulesEditor({ rules, onRules, problem }: Props) {
  /** The key of the rule that was added last: its path has the focus when it appears. */
  const added = useRef(0)
  const add = () => {
    const rule = newRule()
    added.current = rule.key
    onRules([...rules, rule])
  }
  const change = (changed: RuleDraft) => onRules(rules.map((rule) => (rule.key === changed.key ? changed : rule)))
  const remove = (key: number) => {
    onRules(rules.filter((rule) => rule.key !== key))
    // The button that had the focus is gone.
    document.getElementById('new-rule')?.focus()
  }
  return (
    <>
      {rules.length > 0 && (
        <ul className="rules">
          {rules.map((rule, index) => (
            <RuleRow
              key={rule.key}
              rule={rule}
              number={index + 1}
              isNew={rule.key === added.current}
              onChange={change}
              onRemove={() => remove(rule.key)}
              problem={problem?.key === rule.key ? problem.text : storedProblem(rule)}
            />
          ))}
        </ul>
      )}
      <div className="form-foot">
        <Button id="new-rule" icon="plus" label={t('users.rules.new')} onClick={add} />
      </div>
    </>
  )
})

function storedProblem({ problem, regex }: RuleDraft) {
  if (problem === undefined) return undefined
  return regex ? t('refusal.ruleNotExpression') : t('cause.other', { said: problem })
}

type RowProps = {
  rule: RuleDraft
  /** Its place, from 1. */
  number: number
  isNew: boolean
  onChange: (rule: RuleDraft) => void
  onRemove: () => void
  problem: string | undefined
}

function RuleRow({ rule, number, isNew, onChange, onRemove, problem }: RowProps) {
  const path = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (isNew) path.current?.focus()
  }, [isNew])
  const errorId = `rule-${rule.key}-error`
  const noteId = !rule.allow && rule.regex && blocksBelow(rule.text) ? `rule-${rule.key}-note` : undefined
  return (
    <li className="rule">
      <fieldset className="rule-fields">
        <legend className="visually-hidden">{t('users.rules.rule', { number })}</legend>
        <span className="select rule-verdict" data-verdict={rule.allow ? 'allow' : 'deny'}>
          <select
            className="input"
            aria-label={t('users.rules.verdict')}
            value={rule.allow ? 'allow' : 'deny'}
            onChange={(event) => onChange({ ...rule, allow: event.target.value === 'allow' })}
          >
            <option value="deny">{t('users.rules.deny')}</option>
            <option value="allow">{t('users.rules.allow')}</option>
          </select>
          <Icon name="chevron-down" small />
        </span>
        <input
          ref={path}
          className="input input-code"
          dir="ltr"
          value={rule.text}
          placeholder={rule.regex ? '\\.key$' : '/path'}
          aria-label={t(rule.regex ? 'users.rules.expression' : 'users.rules.path')}
          aria-invalid={problem ? true : undefined}
          aria-describedby={problem ? errorId : noteId}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          onChange={(event) => onChange({ ...rule, text: event.target.value, problem: undefined })}
          // Enter must not submit the form around it.
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        />
        <label className="checkbox">
          <input
            className="check"
            type="checkbox"
            checked={rule.regex}
            onChange={(event) => onChange({ ...rule, regex: event.target.checked, problem: undefined })}
          />
          <span>{t('users.rules.regex')}</span>
        </label>
        <IconButton className="icon-button-danger" icon="trash" label={t('users.rules.remove')} onClick={onRemove} />
        {problem && (
          <div className="rule-error">
            <FieldError id={errorId} text={problem} />
          </div>
        )}
        {noteId && (
          <p className="field-hint rule-note" id={noteId}>
            {t('users.rules.blocksBelow')}
          </p>
        )}
      </fieldset>
    </li>
  )
}
