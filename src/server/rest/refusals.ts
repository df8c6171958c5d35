/** What the statuses of refusals mean, with a code that they come with. */
export const refusals: Readonly<
  Record<number, { readonly name: string; readonly code: string; readonly text: string }>
> = {
  400: {
    name: 'BadRequest',
    code: 'invalid_argument',
    text: 'An argument does not fit, or there is no such argument. The message says which, what was expected and what came.',
  },
  401: { name: 'Unauthorized', code: 'unauthorized', text: 'The bearer token is missing or wrong.' },
  403: {
    name: 'Forbidden',
    code: 'forbidden',
    text: 'The Host or Origin header is of another site; or it is switched off, and the message says by which setting.',
  },
  404: { name: 'NotFound', code: 'not_found', text: 'There is none with this id, key or name.' },
  409: { name: 'WrongState', code: 'not_running', text: 'It has ended before.' },
  413: { name: 'TooLarge', code: 'too_large', text: 'The body, or a value in it, is too large.' },
  429: { name: 'TooBusy', code: 'queue_full', text: 'Too many wait already; try again later.' },
  500: { name: 'Failed', code: 'internal', text: 'The server failed; its log has the details.' },
  502: { name: 'UpstreamFailed', code: 'upstream_error', text: 'The other server is not connected, or has failed.' },
  503: { name: 'Closing', code: 'closing', text: 'The server is about to end.' },
};
