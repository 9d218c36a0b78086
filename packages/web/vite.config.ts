import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** Where the service listens while the page is developed. */
const marketplaceUrl = process.env.MARKETPLACE_URL ?? 'http://localhost:4000'
const servicePaths = [
  '/api',
  '^/docs(/.*)?\\.(md|json)$',
  '/openapi',
  '/health',
  '/rpc',
  '/llms.txt',
  '/.well-known',
  '/sandbox',
  '/files',
]

/** What a card of an agent is made of. */
const partsOfCards =
  /\/features\/agents\/(browse\/ListedAgent|saved\/SaveToggle|compare\/Compare(Toggle|Tray)|profile\/(offer|OnChainCheck|TrustMarks))\.|\/components\/agents\/(Agent(Card|Figures)|OfferLine|Rating)\.|\/data\/agents\/(chosen|saved)-agents\.|\/format\/(share-of-jobs|signs-of-life|offer)\./

/** Both Latin fonts are needed by the first paint: without a preload they would wait for the stylesheet. */
function preloadFonts(): Plugin {
  return {
    name: 'preload-fonts',
    transformIndexHtml(_html, { bundle = {} }) {
      const fonts = Object.keys(bundle).filter((name) => /-latin-wght-normal-[^/]*\.woff2$/.test(name))
      return fonts.map((name) => ({
        tag: 'link',
        attrs: { rel: 'preload', href: `/${name}`, as: 'font', type: 'font/woff2', crossorigin: '' },
        injectTo: 'head-prepend' as const,
      }))
    },
  }
}

/**
 * The code of the first page, on the way before the code that asks for it: over a slow connection that is half a second.
 * The service leaves these links out of every other page.
 */
function preloadFirstPage(): Plugin {
  return {
    name: 'preload-first-page',
    transformIndexHtml(_html, { bundle = {} }) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
      const needed = new Set<string>()
      const add = (name: string | undefined) => {
        const chunk = chunks.find(({ fileName }) => fileName === name)
        if (!chunk || chunk.isEntry || needed.has(chunk.fileName)) return
        needed.add(chunk.fileName)
        chunk.imports.forEach(add)
      }
      add(chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith('/BrowsePage.tsx'))?.fileName)
      return [...needed].map((name) => ({
        tag: 'link',
        attrs: { rel: 'modulepreload', href: `/${name}`, crossorigin: '', 'data-first-page': '' },
        injectTo: 'head' as const,
      }))
    },
  }
}

export default defineConfig({
  plugins: [react(), tailwindcss(), preloadFonts(), preloadFirstPage()],
  // Markdown is read in a worker, which has no document to ask what an entity stands for: the build that has a list.
  resolve: {
    alias: {
      'decode-named-character-reference': fileURLToPath(
        import.meta.resolve('decode-named-character-reference'),
      ),
    },
  },
  build: {
    target: 'es2022',
    // An inlined font or icon would have to be carried by every page that does not use it.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // What every page begins with is one file: in sixty small ones the same words are zipped sixty times.
        // The same for cards of agents, which the first page shows and other pages share parts of.
        codeSplitting: {
          groups: [
            { name: 'first', tags: ['$initial'] },
            { name: 'cards', test: partsOfCards },
          ],
        },
      },
    },
  },
  server: {
    port: 5173,
    // The host stays the page's own, so that the sandbox sees calls of its own page.
    proxy: Object.fromEntries(servicePaths.map((path) => [path, { target: marketplaceUrl }])),
  },
})
