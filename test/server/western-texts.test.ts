// Which of the encodings of Western and of Central Europe a text is read in, by texts of many languages.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import iconv from 'iconv-lite'
import { decodeGuessing, type Encoding } from '../../src-server/files/encodings.ts'

/** By language: short texts, as they stand in notes and lists, and one longer text. */
const western: Readonly<Record<string, readonly string[]>> = {
  English: ['café\n', 'Crème brûlée\n', 'naïve façade', 'jalapeño', 'fiancé, résumé, cliché\n', 'The encyclopædia costs £12.\n'],
  French: [
    'déjà vu\n',
    "Château d'If",
    'note¹ et note²\n',
    'très bien',
    'Où est la mère de Noël ?\n',
    'café crème\n',
    'à bientôt',
    'Liste de courses : pâtes, bœuf, crème fraîche, pêches\n',
    'Tous les êtres humains naissent libres et égaux en dignité et en droits. Ils sont doués de raison et de conscience et doivent ' +
      'agir les uns envers les autres dans un esprit de fraternité. Chacun peut se prévaloir de tous les droits et de toutes les libertés.',
  ],
  German: [
    'Grüße',
    'schöne Straße\n',
    'Müller\nJäger\nGroß\n',
    'Alle Menschen sind frei und gleich an Würde und Rechten geboren. Sie sind mit Vernunft und Gewissen begabt und sollen einander ' +
      'im Geiste der Brüderlichkeit begegnen. Jeder hat Anspruch auf alle in dieser Erklärung verkündeten Rechte und Freiheiten.',
  ],
  Spanish: [
    'mañana\n',
    'El Niño',
    'El niño pequeño',
    'años: 2024\n',
    '¿Qué pasó?\n',
    '¡Feliz año, señora Muñoz!\n',
    'Todos los seres humanos nacen libres e iguales en dignidad y derechos y, dotados como están de razón y conciencia, deben ' +
      'comportarse fraternalmente los unos con los otros. Toda persona tiene todos los derechos, sin distinción alguna, de España.',
  ],
  Portuguese: [
    'São João\n',
    'amanhã não posso',
    'três maçãs, dois pães\n',
    'Você vê o bebê',
    'crochê, bebê, você\n',
    'irmãs, manhãs e maçãs',
    'as ações e os limões',
    'Todos os seres humanos nascem livres e iguais em dignidade e em direitos. Dotados de razão e de consciência, devem agir uns ' +
      'para com os outros em espírito de fraternidade. Não será feita nenhuma distinção fundada no estatuto político do país.',
  ],
  Italian: [
    'perché no?\n',
    'Così è la vita',
    'caffè e tè\n',
    'lunedì, martedì, venerdì\n',
    'più tardi può andare',
    'città e libertà\n',
    'Tutti gli esseri umani nascono liberi ed eguali in dignità e diritti. Essi sono dotati di ragione e di coscienza e devono agire ' +
      'gli uni verso gli altri in spirito di fratellanza. Ad ogni individuo spettano tutti i diritti e tutte le libertà, perciò è così.',
  ],
  Dutch: ['één\n', 'België en Curaçao', 'geïnteresseerd in oriëntatie\n', 'coördinatie, reünie, ideeën\n'],
  Danish: [
    'rødgrød med fløde\n',
    'Århus, Ålborg, Ærø',
    'Ærø, Læsø og Fanø\n',
    'smørrebrød',
    'København på søndag',
    'Alle mennesker er født frie og lige i værdighed og rettigheder. De er udstyret med fornuft og samvittighed, og de bør handle mod ' +
      'hverandre i en broderskabets ånd. Enhver har krav på alle de rettigheder og friheder, som nævnes i denne erklæring.',
  ],
  Norwegian: ['Bokmål\n', 'blåbærsyltetøy', 'Tromsø', 'Tromsø og Bodø\n', 'første møte på lørdag\n'],
  Swedish: [
    'Göteborg\n',
    'smörgåsbord på fredag',
    'Åsa åkte båt\n',
    'Alla människor är födda fria och lika i värde och rättigheter. De har utrustats med förnuft och samvete och bör handla gentemot ' +
      'varandra i en anda av gemenskap. Var och en är berättigad till alla de rättigheter och friheter som uttalas i denna förklaring.',
  ],
  Finnish: ['hyvää päivää\n', 'Jyväskylä ja Hämeenlinna\n', 'äiti ja isä ovat töissä'],
  Icelandic: ['Það er gott veður\n', 'góðan daginn, Þórður\n', 'Alþingi', 'íþróttir og samþykki\n'],
  Catalan: [
    'això és així\n',
    'què més?',
    'Barcelonès i Vallès\n',
    "l'Alguer i la Tramuntana són així de bonics, però també lluny\n",
  ],
}

const central: Readonly<Record<string, readonly string[]>> = {
  Czech: [
    'Příliš žluťoučký kůň\n',
    'děkuji pěkně',
    'nákup: chléb, mléko, sýr, řepa, česnek\n',
    'Všichni lidé rodí se svobodní a sobě rovní co do důstojnosti a práv. Jsou nadáni rozumem a svědomím a mají spolu jednat v duchu ' +
      'bratrství. Každý má všechna práva a všechny svobody, stanovené touto deklarací, bez jakéhokoli rozlišování.',
  ],
  Slovak: [
    'Dobrý večer, ďakujem\n',
    'stôl a stolička',
    'mlieko, vajcia, čučoriedky, ríbezle\n',
    'Všetci ľudia sa rodia slobodní a sebe rovní, čo sa týka ich dôstojnosti a práv. Sú obdarení rozumom a svedomím a majú navzájom ' +
      'jednať v bratskom duchu. Každý má všetky práva a všetky slobody, ktoré sa vyhlasujú v tejto deklarácii.',
  ],
  Polish: [
    'więcej zdjęć',
    'lista zakupów: chleb, masło, śmietana, ziemniaki, pomarańcze\n',
    'Cześć, dziękuję za książkę',
    'Wszyscy ludzie rodzą się wolni i równi pod względem swej godności i swych praw. Są oni obdarzeni rozumem i sumieniem i powinni ' +
      'postępować wobec innych w duchu braterstwa. Każdy człowiek posiada wszystkie prawa i wolności zawarte w niniejszej Deklaracji.',
  ],
  Hungarian: [
    'Minden emberi lény szabadon születik és egyenlő méltósága és joga van. Az emberek, ésszel és lelkiismerettel bírván, egymással ' +
      'szemben testvéri szellemben kell hogy viseltessenek. Mindenki, bármely megkülönböztetésre, faji, nyelvi, politikai eredetű.',
    'Az őszi szünet első hete: bevásárlás, főzés, jövő heti feladatok előkészítése, könyvtár, edzőterem\n',
  ],
  Romanian: [
    'Toate fiinţele umane se nasc libere şi egale în demnitate şi în drepturi. Ele sunt înzestrate cu raţiune şi conştiinţă şi trebuie ' +
      'să se comporte unele faţă de altele în spiritul fraternităţii. Fiecare om se poate prevala de toate drepturile şi libertăţile.',
    'să cumpăr pâine, brânză, roşii şi mămăligă\n',
  ],
  Croatian: [
    'Sva ljudska bića rađaju se slobodna i jednaka u dostojanstvu i pravima. Ona su obdarena razumom i sviješću i trebaju jedna prema ' +
      'drugima postupati u duhu bratstva. Svatko ima pravo na sva prava i slobode utvrđene ovom Općom deklaracijom, bez razlike.',
    'kuća, škola, dječak',
    'čevapčići, kiflice, mlijeko i višnje za večeru\n',
  ],
  Slovenian: [
    'Vsi ljudje se rodijo svobodni in imajo enako dostojanstvo in enake pravice. Obdarjeni so z razumom in vestjo in bi morali ravnati ' +
      'drug z drugim kakor bratje. Vsakdo je upravičen do uživanja vseh pravic in svoboščin, ki so razglašene s to Deklaracijo.',
    'počasi, že čez uro začnemo\n',
  ],
}

/** The encodings that texts are in, and the one that is named; by default any in which a text reads the same. */
type Expected = Readonly<{ languages: typeof western; encodings: readonly Encoding[]; named?: Encoding }>

const expected: readonly Expected[] = [
  { languages: western, encodings: ['iso-8859-1', 'windows-1252'], named: 'windows-1252' },
  { languages: central, encodings: ['iso-8859-2', 'windows-1250'] },
]

for (const { languages, encodings, named } of expected) {
  for (const [language, texts] of Object.entries(languages)) {
    test(`${language} in ${encodings.join(' or ')} is read as it was written`, async () => {
      const wrong: string[] = []
      for (const text of texts) {
        for (const encoding of encodings) {
          const bytes = iconv.encode(text, encoding)
          // The encoding lacks one of its letters.
          if (iconv.decode(bytes, encoding) !== text) continue
          const read = await decodeGuessing(bytes, new AbortController().signal)
          const isRight = read?.text === text && read.encoding === (named ?? read.encoding)
          if (!isRight) wrong.push(`${encoding} as ${read?.encoding}: ${read?.text}`)
        }
      }
      assert.deepEqual(wrong, [])
    })
  }
}
