import { Icon, type IconName } from './icon.tsx'

type Props = { icon: IconName; label: string; value: string; onValue: (value: string) => void }

/** A field that narrows what is listed. Its icon and its placeholder say by what. */
export function SearchField({ icon, label, value, onValue }: Props) {
  return (
    <span className="input-lead">
      <Icon name={icon} small />
      <input
        className="input"
        type="search"
        dir="auto"
        aria-label={label}
        placeholder={label}
        value={value}
        onChange={(event) => onValue(event.target.value)}
      />
    </span>
  )
}
