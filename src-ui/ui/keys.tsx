/** A chord as it stands on the keys: one cap for each. @param shown as showChord() writes it: `Ctrl S` */
export function Keys({ shown }: { shown: string }) {
  return shown.split(' ').map((cap) => (
    <kbd key={cap} className="key">
      {cap}
    </kbd>
  ))
}
