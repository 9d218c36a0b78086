/** Powers of a browser that no page of ours uses. */
const unusedPowers = [
  'accelerometer',
  'autoplay',
  'browsing-topics',
  'camera',
  'display-capture',
  'fullscreen',
  'geolocation',
  'gyroscope',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'screen-wake-lock',
  'usb',
  'xr-spatial-tracking',
]

/** The same on every response, so they are one object that is made once. */
const headers = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
  'referrer-policy': 'no-referrer',
  // Wallets open windows of their own and talk back to the page.
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'x-dns-prefetch-control': 'off',
  'permissions-policy': unusedPowers.map((power) => `${power}=()`).join(', '),
  'content-security-policy':
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
}
const strictTransport = { 'strict-transport-security': 'max-age=63072000; includeSubDomains' }

/** API responses may load nothing; pages set a policy of their own on top. */
export function securityHeadersOf(options: { https: boolean }): Readonly<Record<string, string>> {
  return options.https ? { ...headers, ...strictTransport } : headers
}

/** Other hosts that a page needs. */
export interface PageHosts {
  connectTo?: readonly string[]
  frames?: readonly string[]
}

/** The policy of an HTML page that brings its scripts and styles along. No inline script is allowed. */
export function pagePolicy({ connectTo = [], frames = [] }: PageHosts = {}): string {
  return [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    // No picture comes from a stranger's host: it would learn who looks at what.
    "img-src 'self' data:",
    "font-src 'self' data:",
    ["connect-src 'self'", ...connectTo].join(' '),
    ...(frames.length > 0 ? [['frame-src', ...frames].join(' ')] : []),
    "object-src 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ].join('; ')
}
