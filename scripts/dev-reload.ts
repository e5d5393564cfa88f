// Added to the page by `npm run dev`: reloads it when the server's files have changed.
const addressed = /static\/[\w./-]+/g

async function filesOfPage(): Promise<string | undefined> {
  try {
    const answer = await fetch(location.href, { headers: { accept: 'text/html' } })
    return answer.ok ? (await answer.text()).match(addressed)?.join(' ') : undefined
  } catch {
    return undefined // The server is being restarted.
  }
}

const loaded = document.documentElement.outerHTML.match(addressed)?.join(' ')
setInterval(async () => {
  const now = await filesOfPage()
  if (now !== undefined && now !== loaded) location.reload()
}, 1000)
