// The program: the server, or one of its decoders of pictures. Each loads only its own code.
import './base/thread-pool.ts'
import { decoderFlag } from './previews/start-decoder.ts'

if (process.argv[2] === decoderFlag) import('./previews/decoder-process.ts').then(({ runDecoder }) => runDecoder())
else import('./serve.ts').then(({ main }) => main())
