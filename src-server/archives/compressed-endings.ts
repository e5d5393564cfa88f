// Names of files whose content is compressed already. Deflating it again takes about 25 s for each GiB and saves less than 2 %.
// Formats that are compressed only in part, such as PDF, are not listed.
const endings = new Set(
  [
    // Pictures.
    'jpg jpeg jpe jfif jxl jp2 png apng gif webp avif heic heif',
    // Sound and video.
    'mp3 m4a m4b aac ogg oga opus flac wma mp4 m4v mkv webm mov avi wmv mpg mpeg mts m2ts ogv 3gp flv',
    // Archives and compressed files.
    'zip gz tgz bz2 tbz tbz2 xz txz lzma lz lz4 zst tzst br sz 7z rar cab',
    // Documents and packages that are zip archives, and other compressed packages.
    'docx xlsx pptx odt ods odp epub jar war apk aab ipa whl nupkg vsix xpi deb rpm dmg',
    // Fonts of web pages.
    'woff woff2',
  ].flatMap((line) => line.split(' ')),
)

/** Whether the ending of the name says that the content is compressed already. */
export function isCompressed(path: string): boolean {
  const ending = /\.([^./]+)$/.exec(path)?.[1]
  return ending !== undefined && endings.has(ending.toLowerCase())
}
